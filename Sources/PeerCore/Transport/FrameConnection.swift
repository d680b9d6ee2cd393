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

extension SocketAddress {
    /// The address and the port as people write them: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    package var displayText: String {
        guard let ipAddress, let port else { return "\(self)" }
        switch self {
        case .v6 where ipAddress.hasPrefix("::ffff:") && ipAddress.contains("."):
            // An IPv4 peer of a socket that takes both (RFC 4291, section 2.5.5.2).
            return "\(ipAddress.dropFirst(7)):\(port)"
        case .v6:
            let zone = InterfaceName.of(index: scopeIndex).map { "%\($0)" } ?? ""
            return "[\(ipAddress)\(zone)]:\(port)"
        case .v4, .unixDomainSocket:
            return "\(ipAddress):\(port)"
        }
    }

    /// The interface that an IPv6 link-local address belongs to; 0 for any other address.
    package var scopeIndex: UInt32 {
        guard case .v6 = self else { return 0 }
        // sockaddr_in6 (RFC 3493, section 3.3) ends in sin6_scope_id.
        return withSockAddr { address, length in
            guard length >= 28 else { return 0 }
            return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 24, as: UInt32.self)
        }
    }
}
