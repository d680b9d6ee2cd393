import Glibc
import NIOCore
import NIOSSL

/// A connection that speaks in parts.
struct FrameConnection: Sendable {
    /// Only what comes is a sequence; what goes is written to the channel, in order and without waiting.
    typealias AsyncChannel = NIOAsyncChannel<InboundPart, Never>

    /// How many parts may wait for the session before the socket is no longer read.
    private static let backPressure = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
        lowWatermark: 1,
        highWatermark: 2
    )

    let asyncChannel: AsyncChannel
    let activity: ActivityStamp
    /// Kept when the peer has proved itself; nil on a connection that a listener has accepted.
    private let proof: EventLoopPromise<Void>?
    private let peerCertificate: PeerCertificate

    var channel: any Channel { asyncChannel.channel }

    /// The peer's address, for people.
    var remoteAddress: String { channel.remoteAddress?.displayText ?? "an unknown address" }

    /// Why the peer's certificate was not taken; nil if it was, or none came.
    var refusal: PeerError? { peerCertificate.refusal }

    /// What counts as the peer's machine when connections are counted.
    var addressKey: AddressKey { AddressKey(channel.remoteAddress) }

    /// Builds the pipeline of a channel that a listener has accepted.
    static func makeAccepted(
        _ channel: any Channel,
        application: PeerServiceType,
        configuration: SessionConfiguration,
        security: TransportSecurity
    ) throws -> FrameConnection {
        let activity = ActivityStamp()
        let peer = PeerCertificate()
        try SocketTuning.apply(to: channel, readLength: SocketTuning.shortReadLength)
        let preface = Preface(application: application.name)
        let detector = ListenerSecurityDetector(preference: configuration.encryption, preface: preface) {
            security.makeListenerHandler(peer)
        }
        try channel.pipeline.syncOperations.addHandler(detector)
        return try wrap(
            channel,
            preface,
            security.applicationProtocol,
            configuration,
            activity,
            peer,
            opening: .byEvent,
            proof: nil
        )
    }

    /// Builds the pipeline of a channel that a connector opens.
    ///
    /// With a greeting, plain text begins with it at once, and is open when the peer has answered with the preface.
    static func makeConnecting(
        _ channel: any Channel,
        application: PeerServiceType,
        configuration: SessionConfiguration,
        security: TransportSecurity?,
        expecting expected: PeerID?,
        greeting: Hello?
    ) throws -> FrameConnection {
        let activity = ActivityStamp()
        let peer = PeerCertificate(expected: expected)
        let preface = Preface(application: application.name)
        try SocketTuning.apply(to: channel, readLength: SocketTuning.readLength)
        if let security {
            try channel.pipeline.syncOperations.addHandler(ConnectorSecurityDetector(preface: preface))
            try channel.pipeline.syncOperations.addHandler(security.makeConnectorHandler(peer))
        }
        let opening: FrameHandler.Opening =
            if security != nil { .byEvent } else if let greeting { .byPreface(greeting) } else { .whenActive }
        let proof = channel.eventLoop.makePromise(of: Void.self)
        do {
            return try wrap(
                channel,
                preface,
                security?.applicationProtocol,
                configuration,
                activity,
                peer,
                opening: opening,
                proof: proof
            )
        } catch {
            proof.fail(error)
            throw error
        }
    }

    private static func wrap(
        _ channel: any Channel,
        _ preface: Preface,
        _ applicationProtocol: String?,
        _ configuration: SessionConfiguration,
        _ activity: ActivityStamp,
        _ peer: PeerCertificate,
        opening: FrameHandler.Opening,
        proof: EventLoopPromise<Void>?
    ) throws -> FrameConnection {
        try channel.pipeline.syncOperations.addHandler(
            FrameHandler(
                preface: preface,
                applicationProtocol: applicationProtocol,
                limits: configuration.limits,
                activity: activity,
                peerCertificate: peer,
                opening: opening,
                proof: proof
            )
        )
        let asyncChannel = try AsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: AsyncChannel.Configuration(backPressureStrategy: backPressure)
        )
        return FrameConnection(asyncChannel: asyncChannel, activity: activity, proof: proof, peerCertificate: peer)
    }

    /// Waits until the peer has proved itself: by TLS, or by its preface where there is none.
    ///
    /// - Throws: `late` if that takes longer than `limit`; what the connection ended with.
    func proved(within limit: Duration, orThrow late: PeerError) async throws {
        guard let proof else { return }
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
            proof.fail(late)
        }
        defer { timer.cancel() }
        try await proof.futureResult.get()
    }

    /// Sends a part without waiting; parts arrive in the order in which they are sent.
    func send(_ part: OutboundPart) {
        channel.writeAndFlush(part, promise: nil)
    }

    /// Lets the peer send frames that are longer than control frames; until then a peer cannot fill much memory.
    func awaitLongFrames() {
        channel.triggerUserOutboundEvent(LongFramesAwaited(), promise: nil)
    }

    /// Closes the connection.
    ///
    /// What is not with the kernel yet is lost; a side that wants its last word heard lets the other side close.
    func close() {
        channel.close(mode: .all, promise: nil)
    }

    /// Closes the connection at once, without a farewell in TLS: what has not been sent is thrown away.
    ///
    /// Else the kernel would go on to send it, and take the link's time from what is still wanted.
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
