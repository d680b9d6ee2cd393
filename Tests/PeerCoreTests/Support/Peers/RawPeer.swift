import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PeerTestSupport
import Synchronization

@testable import PeerCore

/// A peer that says whatever a test wants, byte by byte or frame by frame.
final class RawPeer {
    /// How a peer uses TLS.
    enum Security {
        case plainText
        case encrypted(PeerIdentity)
        /// TLS without the protocol's name.
        case encryptedWithoutProtocol(PeerIdentity)
        /// TLS of an older version.
        case encryptedWithTLS12(PeerIdentity)
        /// TLS with any certificate and its key.
        case encryptedAs(NIOSSLCertificate, NIOSSLPrivateKey)
    }

    let channel: any Channel
    /// What it is in a transfer: the one that listens sends.
    let role: Conversation.Side
    private var bytes: AsyncStream<ByteBuffer>.Iterator
    private var decoder = FrameDecoder(preface: .hikeshare)
    private var unread = ByteBuffer()
    private let encoder = FrameEncoder(preface: .hikeshare)
    private let cutOff: Flag

    /// Whether the other side has closed without the farewell of TLS.
    var isCutOff: Bool { cutOff.isSet.load(ordering: .acquiring) }

    fileprivate init(channel: any Channel, role: Conversation.Side, bytes: AsyncStream<ByteBuffer>, cutOff: Flag) {
        self.channel = channel
        self.role = role
        self.bytes = bytes.makeAsyncIterator()
        self.cutOff = cutOff
    }

    /// Connects to a listener, calls `body` and closes the connection.
    ///
    /// With `readsAbout`, nothing more is read after so many bytes, which holds the other side back.
    static func connected<Result>(
        to address: SocketAddress,
        from own: String = "127.0.0.1",
        security: Security = .plainText,
        reads: Bool = true,
        readsAbout limit: Int = .max,
        _ body: (RawPeer) async throws -> Result
    ) async throws -> Result {
        let (bytes, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        let cutOff = Flag()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: reads)
            .bind(to: SocketAddress(ipAddress: own, port: 0))
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    switch security {
                    case .plainText, .encryptedAs:
                        break
                    case .encrypted(let identity):
                        try channel.pipeline.syncOperations.addHandler(
                            TransportSecurity(identity: identity, application: .hikeshare).makeConnectorHandler(
                                PeerCertificate()
                            )
                        )
                    case .encryptedWithoutProtocol(let identity), .encryptedWithTLS12(let identity):
                        var configuration = TLSConfiguration.makeClientConfiguration()
                        if case .encryptedWithTLS12 = security {
                            configuration.maximumTLSVersion = .tlsv12
                            configuration.applicationProtocols = ["hikeshare/1"]
                        }
                        configuration.certificateVerification = .noHostnameVerification
                        configuration.certificateChain = [.certificate(identity.certificate)]
                        configuration.privateKey = .privateKey(identity.privateKey)
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(
                                context: NIOSSLContext(configuration: configuration),
                                serverHostname: nil,
                                customVerificationCallback: { $1.succeed(.certificateVerified) }
                            )
                        )
                    }
                    if case .encryptedAs(let certificate, let key) = security {
                        var configuration = TLSConfiguration.makeClientConfiguration()
                        configuration.applicationProtocols = ["hikeshare/1"]
                        configuration.certificateVerification = .noHostnameVerification
                        configuration.certificateChain = [.certificate(certificate)]
                        configuration.privateKey = .privateKey(key)
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(
                                context: NIOSSLContext(configuration: configuration),
                                serverHostname: nil,
                                customVerificationCallback: { $1.succeed(.certificateVerified) }
                            )
                        )
                    }
                    try channel.pipeline.syncOperations.addHandler(ByteCollector(continuation, cutOff, limit: limit))
                    return channel
                }
            }
        return try await run(RawPeer(channel: channel, role: .dialer, bytes: bytes, cutOff: cutOff), body)
    }

    /// Listens, hands the address to `connect`, and calls `script` with the first connection that comes.
    static func listening<Result: Sendable>(
        security: Security = .plainText,
        _ script: @escaping @Sendable (RawPeer) async throws -> Void,
        connect: (SocketAddress) async throws -> Result
    ) async throws -> Result {
        typealias Accepted = (channel: any Channel, bytes: AsyncStream<ByteBuffer>, cutOff: Flag)
        let (accepted, continuation) = AsyncStream.makeStream(of: Accepted.self)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if case .encrypted(let identity) = security {
                        try channel.pipeline.syncOperations.addHandler(
                            TransportSecurity(identity: identity, application: .hikeshare).makeListenerHandler(
                                PeerCertificate()
                            )
                        )
                    }
                    let (bytes, bytesIn) = AsyncStream.makeStream(of: ByteBuffer.self)
                    let cutOff = Flag()
                    try channel.pipeline.syncOperations.addHandler(ByteCollector(bytesIn, cutOff))
                    continuation.yield((channel, bytes, cutOff))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.localAddress?.port ?? 0)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await (channel, bytes, cutOff) in accepted {
                    return try await run(
                        RawPeer(channel: channel, role: .listener, bytes: bytes, cutOff: cutOff),
                        script
                    )
                }
            }
            let result: Result
            do {
                result = try await connect(address)
            } catch {
                try? await server.close()
                throw error
            }
            try await server.close()
            try await group.waitForAll()
            return result
        }
    }

    private static func run<Result>(
        _ peer: RawPeer,
        _ body: (RawPeer) async throws -> Result
    ) async throws -> Result {
        let result: Result
        do {
            result = try await body(peer)
        } catch {
            try? await peer.channel.close()
            throw error
        }
        try? await peer.channel.close()
        return result
    }
}

extension RawPeer {
    /// Sends bytes; a connection that the other side has closed is no error.
    func send(_ bytes: some Sequence<UInt8>) async {
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Sends frames in one go.
    func send(_ frames: Frame...) async throws {
        var buffer = ByteBuffer()
        for frame in frames { try encoder.write(frame, into: &buffer) }
        try? await channel.writeAndFlush(buffer)
    }

    /// Sends a data frame.
    func sendData(_ resource: Int, offset: UInt64, _ bytes: some Collection<UInt8>) async {
        var buffer = ByteBuffer()
        encoder.writeDataHeader(DataHeader(resource: resource, offset: offset, length: bytes.count), into: &buffer)
        buffer.writeBytes(bytes)
        try? await channel.writeAndFlush(buffer)
    }

    /// Sends a frame with any header.
    func sendFrame(type: UInt8, flags: UInt8 = 0, length: UInt32? = nil, payload: [UInt8] = []) async {
        var buffer = ByteBuffer()
        buffer.writeMultipleIntegers(type, flags, UInt16(0), length ?? UInt32(payload.count))
        buffer.writeBytes(payload)
        try? await channel.writeAndFlush(buffer)
    }

    /// The next frame that is not a sign of life; nil at the end of the connection.
    ///
    /// Data frames are passed over.
    func nextFrame(withSignsOfLife: Bool = false) async throws -> Frame? {
        while true {
            while let output = try decoder.next(from: &unread) {
                guard case .frame(let frame) = output else { continue }
                if [.ping, .pong].contains(frame.type), !withSignsOfLife { continue }
                return frame
            }
            guard var more = await bytes.next(isolation: #isolation) else { return nil }
            unread.discardReadBytes()
            unread.writeBuffer(&more)
        }
    }

    /// Waits for so many signs of life, one after the other; false if any other frame or the end comes before.
    func waitForSignsOfLife(_ count: Int) async throws -> Bool {
        var seen = 0
        while seen < count {
            while let output = try decoder.next(from: &unread) {
                guard case .frame(.ping) = output else { return false }
                seen += 1
            }
            guard var more = await bytes.next(isolation: #isolation) else { return false }
            unread.discardReadBytes()
            unread.writeBuffer(&more)
        }
        return true
    }

    /// Waits for data; false if a failure or the end of the connection comes before.
    func waitForData() async throws -> Bool {
        while true {
            while let output = try decoder.next(from: &unread) {
                if case .dataHeader = output { return true }
                if case .frame(.failure) = output { return false }
            }
            guard var more = await bytes.next(isolation: #isolation) else { return false }
            unread.discardReadBytes()
            unread.writeBuffer(&more)
        }
    }

    /// Waits for a frame of a type, passing over others; nil at the end of the connection.
    func next(_ type: FrameType) async throws -> Frame? {
        while let frame = try await nextFrame(withSignsOfLife: [.ping, .pong].contains(type)) {
            if frame.type == type { return frame }
        }
        return nil
    }

    /// Reads everything that still comes and returns the failure in it; nil if there is none, or no frames at all.
    func lastFailure() async -> Failure? {
        guard case .failure(let failure) = try? await next(.failure) else { return nil }
        return failure
    }

    /// Everything that comes until the other side closes.
    func bytesToEnd() async -> ByteBuffer {
        var all = ByteBuffer()
        while let more = await bytes.next(isolation: #isolation) { all.writeImmutableBuffer(more) }
        return all
    }

    /// Waits until the other side closes.
    func waitForEnd() async {
        while await bytes.next(isolation: #isolation) != nil {}
    }

    /// Closes the connection so that the other side sees it torn, not ended.
    func reset() async {
        let options = channel as? any SocketOptionProvider
        try? await options?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try? await channel.close()
    }
}
