import Glibc
import NIOCore
import NIOSSL

/// A connection whose input and output are frames.
struct FrameConnection: Sendable {
    /// Only the input is an asynchronous sequence; output is written to the channel, in order and without waiting.
    typealias AsyncChannel = NIOAsyncChannel<Inbound, Never>

    // TCP then slows the peer down, so unread data stay in the kernel.
    /// The number of inputs that wait for the driver before the socket is no longer read.
    private static let backPressure = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
        lowWatermark: 1,
        highWatermark: 2
    )

    let asyncChannel: AsyncChannel
    let activity: ActivityStamp
    let shortcut: LinkShortcut
    /// Whether both sides send small segments only, because longer packets get lost.
    ///
    /// Known to the side that has opened the connection.
    let usesSmallSegments: Bool
    /// Succeeds when the peer is authenticated; nil on a connection that a listener has accepted.
    private let proof: EventLoopPromise<Void>?
    private let peerCertificate: PeerCertificate

    var channel: any Channel { asyncChannel.channel }

    /// The peer's address and port as text.
    var remoteAddress: String { channel.remoteAddress?.displayText ?? "an unknown address" }

    /// The reason why the peer's certificate was rejected; nil if it was accepted, or none arrived.
    var refusal: PeerError? { peerCertificate.refusal }

    /// The certificate that proves the peer's id, in DER form; nil until it has arrived.
    var certificateDER: [UInt8]? { peerCertificate.der }

    /// The key under which connections from the peer's machine are counted.
    var addressKey: AddressKey { AddressKey(channel.remoteAddress) }

    /// Builds the pipeline of a channel that a listener has accepted.
    static func makeAccepted(
        _ channel: any Channel,
        application: PeerServiceType,
        configuration: ConnectionConfiguration,
        security: TransportSecurity
    ) throws -> FrameConnection {
        let peer = PeerCertificate()
        try SocketTuning.apply(to: channel, for: .transfer, isAccepted: true)
        let preface = Preface(application: application.name)
        let detector = ListenerSecurityDetector(preference: configuration.encryption, preface: preface) {
            security.makeListenerHandler(peer)
        }
        try channel.pipeline.syncOperations.addHandler(detector)
        let opening = ConnectionOpening(
            .byEvent,
            preface: preface,
            applicationProtocol: security.applicationProtocol,
            peerCertificate: peer
        )
        return try wrap(channel, opening, configuration, proof: nil)
    }

    /// Builds the pipeline of a channel that a connector opens.
    ///
    /// With a greeting, a connection in plain text begins with it, and is open when the peer's preface has arrived.
    static func makeConnecting(
        _ channel: any Channel,
        application: PeerServiceType,
        configuration: ConnectionConfiguration,
        security: TransportSecurity?,
        expecting expected: ExpectedPeer?,
        greeting: Hello?,
        use: SocketTuning.Use = .transfer,
        usesSmallSegments: Bool = false
    ) throws -> FrameConnection {
        let peer = PeerCertificate(expected: expected)
        let preface = Preface(application: application.name)
        let activity = ActivityStamp()
        try SocketTuning.apply(to: channel, for: use, isAccepted: false)
        if usesSmallSegments { try SocketTuning.useSmallSegments(on: channel) }
        if let security {
            let detector = ConnectorSecurityDetector(preface: preface, activity: activity)
            try channel.pipeline.syncOperations.addHandler(detector)
            try channel.pipeline.syncOperations.addHandler(security.makeConnectorHandler(peer))
        }
        let condition: ConnectionOpening.Condition =
            if security != nil { .byEvent } else if let greeting { .byPreface(greeting) } else { .whenActive }
        let opening = ConnectionOpening(
            condition,
            preface: preface,
            applicationProtocol: security?.applicationProtocol,
            peerCertificate: peer
        )
        let proof = channel.eventLoop.makePromise(of: Void.self)
        do {
            return try wrap(channel, opening, configuration, proof: proof, activity, usesSmallSegments)
        } catch {
            proof.fail(error)
            throw error
        }
    }

    private static func wrap(
        _ channel: any Channel,
        _ opening: ConnectionOpening,
        _ configuration: ConnectionConfiguration,
        proof: EventLoopPromise<Void>?,
        _ activity: ActivityStamp = ActivityStamp(),
        _ usesSmallSegments: Bool = false
    ) throws -> FrameConnection {
        let shortcut = LinkShortcut()
        try channel.pipeline.syncOperations.addHandler(
            FrameHandler(
                opening: opening,
                limits: configuration.limits,
                activity: activity,
                shortcut: shortcut,
                proof: proof
            )
        )
        let asyncChannel = try AsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: AsyncChannel.Configuration(backPressureStrategy: backPressure)
        )
        return FrameConnection(
            asyncChannel: asyncChannel,
            activity: activity,
            shortcut: shortcut,
            usesSmallSegments: usesSmallSegments,
            proof: proof,
            peerCertificate: opening.peerCertificate
        )
    }

    /// Waits until the peer is authenticated by TLS, or until its preface has arrived in plain text.
    func proved(within limit: Duration, orThrow late: PeerError) async throws {
        guard let proof else { return }
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
            proof.fail(late)
        }
        defer { timer.cancel() }
        try await proof.futureResult.get()
    }

    /// Returns whether no byte of the peer has come for a time, and the connection is still open.
    func isSilent(for time: Duration) async -> Bool {
        let settled = channel.eventLoop.makePromise(of: Bool.self)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { [activity] in
            settled.succeed(!activity.hasHeard)
        }
        channel.closeFuture.whenComplete { _ in settled.succeed(false) }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            (try? await settled.futureResult.get()) ?? false
        } onCancel: {
            settled.succeed(false)
        }
    }

    /// Sends an output without waiting; outputs arrive in the order in which they are sent.
    func send(_ output: Outbound) { channel.writeAndFlush(output, promise: nil) }

    /// Allows the peer to send frames that are longer than control frames; before, a peer cannot fill much memory.
    func awaitLongFrames() { channel.triggerUserOutboundEvent(FrameHandler.LongFramesAwaited(), promise: nil) }

    /// Closes the connection.
    ///
    /// Bytes that the kernel does not have yet are lost. To deliver its last frame, a side waits until the other side closes.
    func close() { channel.close(mode: .all, promise: nil) }

    /// Resets the connection without a TLS closure alert, and discards unsent bytes.
    ///
    /// Otherwise the kernel would continue to send them, which slows other connections down.
    func abort() {
        let channel = channel
        channel.eventLoop.execute {
            let options = channel as? any SocketOptionProvider
            options?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
            let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLHandler.self)
            if let tls { tls.close(mode: .all, promise: nil) } else { channel.close(mode: .all, promise: nil) }
        }
    }
}
