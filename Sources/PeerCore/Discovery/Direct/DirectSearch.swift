import HostNetwork
import NIOCore
import NIOPosix

/// Asks for services by multicast, and gets the answers by unicast: one-shot questions (RFC 6762, sections 5.1 and 6.7).
///
/// Switches and access points may lose multicast towards a machine, which then hears no other machine although all of them hear it.
struct DirectSearch: Sendable {
    /// The pauses before the first questions; the second question makes up for a lost packet, the third one for a sleeping radio.
    private static let firstPauses: [Duration] = [.zero, .seconds(1), .seconds(2)]
    /// The time for answers, after which a machine that was there and has not answered is asked again.
    private static let patience: Duration = .seconds(3)
    /// The further pause before a question if no machine is missing.
    ///
    /// Every machine of the network hears the questions, so there is one in ten seconds, and none where multicast arrives. Whoever
    /// starts to send later is found within this time.
    private static let rest: Duration = .seconds(7)

    /// The kind of service.
    var serviceType: PeerServiceType
    /// What is known.
    var sightings: MergedSightings

    /// Asks until the task is cancelled.
    func run() async {
        var channels: [EventLoopFuture<any Channel>] = []
        var pauses = Self.firstPauses[...]
        while true {
            let isFirst = !pauses.isEmpty
            try? await Task.sleep(for: pauses.popFirst() ?? Self.patience)
            if !isFirst, !sightings.missesAnybody { try? await Task.sleep(for: Self.rest) }
            for channel in channels { channel.whenSuccess { $0.close(promise: nil) } }
            guard !Task.isCancelled else { return }
            sightings.ask()
            let lines = DirectLine.all(of: HostInterface.all())
            channels = lines.filter { isFirst || sightings.isNeeded(over: $0.interface) }.compactMap(ask)
        }
    }

    /// Asks over a line, and hears the answers until the channel is closed; nil if the system does not permit it.
    private func ask(over line: DirectLine) -> EventLoopFuture<any Channel>? {
        guard let socket = MulticastSocket(.asker, on: line.index, isIPv6: line.isIPv6) else { return nil }
        let answers = DirectAnswers(over: line, of: serviceType, id: .random(in: .min ... .max))
        guard socket.send(answers.question) == .sent else {
            socket.close()
            return nil
        }
        return DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: DNSMessage.maximumLength))
            .channelInitializer { [sightings] channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = AnswerHandler(socket: socket, answers: answers, sightings: sightings)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .withBoundSocket(socket.descriptor)
    }
}

/// Hears the answers to one question over one line.
private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    /// The channel's own, which closes it.
    private let socket: MulticastSocket
    private var answers: DirectAnswers
    private let sightings: MergedSightings

    init(socket: MulticastSocket, answers: DirectAnswers, sightings: MergedSightings) {
        (self.socket, self.answers, self.sightings) = (socket, answers, sightings)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = Self.unwrapInboundIn(data)
        let (seen, questions) = answers.read(Array(envelope.data.readableBytesView), from: envelope.remoteAddress)
        for sighting in seen { sightings.answered(sighting) }
        for question in questions { _ = socket.send(question) }
        if answers.isFull { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
