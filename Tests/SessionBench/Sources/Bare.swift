import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NearbyPeers

/// The least that swift-nio and swift-nio-ssl need for the same: a connection with TLS, and messages with their lengths.
///
/// There is no session, nothing is acknowledged, and nothing comes back after a cut. Both ends run in tasks.
enum Bare {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// What is written at once at most, as in a session.
    private static let batchLength = 64 * 1024

    static func run(_ options: Options) async throws {
        let security = try Security()
        options.isListening ? try await listen(options, security) : try await connect(options, security)
    }

    /// TLS 1.3 with a certificate at both sides, as in a session; any certificate is taken.
    private struct Security {
        let server: NIOSSLContext
        let client: NIOSSLContext

        init() throws {
            let pem = try PeerIdentity.generate(for: PeerServiceType(validating: "session-bench")).pemRepresentation
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(bytes: Array(pem.utf8), format: .pem))
            var server = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
            var client = TLSConfiguration.makeClientConfiguration()
            client.certificateChain = chain
            client.privateKey = key
            self.server = try Self.context(&server)
            self.client = try Self.context(&client)
        }

        private static func context(_ configuration: inout TLSConfiguration) throws -> NIOSSLContext {
            configuration.minimumTLSVersion = .tlsv13
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates([])
            return try NIOSSLContext(configuration: configuration)
        }

        func serverHandler() -> NIOSSLServerHandler {
            NIOSSLServerHandler(context: server) { _, promise in promise.succeed(.certificateVerified) }
        }

        func clientHandler() throws -> NIOSSLClientHandler {
            try NIOSSLClientHandler(context: client, serverHostname: nil) { _, promise in
                promise.succeed(.certificateVerified)
            }
        }
    }

    private static func listen(_ options: Options, _ security: Security) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(security.serverHandler())
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        emit("listening", ["port": Double(server.channel.localAddress?.port ?? 0)])
        try await server.executeThenClose { connections in
            // The other side may close at any time.
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    guard options.program == "bare-messages" else {
                        group.addTask { try? await echo(connection) }
                        continue
                    }
                    return try await count(connection, options)
                }
            }
        }
    }

    private static func echo(_ connection: Connection) async throws {
        try await connection.executeThenClose { inbound, outbound in
            for try await bytes in inbound { try await outbound.write(bytes) }
        }
    }

    private static func count(_ connection: Connection, _ options: Options) async throws {
        try await connection.executeThenClose { inbound, _ in
            var meter = Meter(options, every: 64)
            var check = OrderCheck(length: options.count("length", 64))
            var messages = Messages()
            for try await bytes in inbound {
                messages.append(bytes)
                while let message = messages.next() {
                    try check.came(message)
                    guard meter.came(message.count) else { continue }
                    return emit("result", meter.figures)
                }
            }
            throw Problem("the other side has closed the connection")
        }
    }

    private static func connect(_ options: Options, _ security: Security) async throws {
        let address = try options.address
        switch options.program {
        case "bare-messages":
            try await open(address, security).executeThenClose { _, outbound in try await send(outbound, options) }
        case "bare-echo":
            try await open(address, security).executeThenClose { inbound, outbound in
                try await ping(inbound, outbound, options)
            }
        case "bare-meet": try await meet(address, security, options)
        default: throw Problem("there is no program \(options.program)")
        }
    }

    private static func open(_ address: PeerAddress, _ security: Security) async throws -> Connection {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(security.clientHandler())
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Sends until the other side has counted enough and closes the connection.
    private static func send(_ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ options: Options) async throws {
        var bytes = NumberedBytes(length: options.count("length", 64))
        var number: UInt64 = 0
        while true {
            var batch = ByteBuffer()
            batch.reserveCapacity(batchLength)
            while batch.readableBytes + bytes.data.count + 4 <= batchLength {
                bytes.set(number)
                number += 1
                batch.writeInteger(UInt32(bytes.data.count))
                batch.writeBytes(bytes.data)
            }
            do { try await outbound.write(batch) } catch { return }
        }
    }

    private static func ping(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ options: Options
    ) async throws {
        var bytes = NumberedBytes(length: options.count("length", 64))
        var answers = inbound.makeAsyncIterator()
        var times: [UInt64] = []
        let warm = nanoseconds() + UInt64(options.number("warm", 0.5) * 1e9)
        let end = warm + UInt64(options.number("seconds", 2) * 1e9)
        var number: UInt64 = 0
        var now = nanoseconds()
        while now < end {
            bytes.set(number)
            number += 1
            let sent = nanoseconds()
            var message = ByteBuffer(integer: UInt32(bytes.data.count))
            message.writeBytes(bytes.data)
            try await outbound.write(message)
            var messages = Messages()
            var answer: Data?
            while answer == nil {
                guard let part = try await answers.next() else {
                    throw Problem("the other side has closed the connection")
                }
                messages.append(part)
                answer = messages.next()
            }
            guard answer == bytes.data else { throw Problem("the answer is not what was sent") }
            now = nanoseconds()
            if sent >= warm { times.append(now - sent) }
        }
        emit("result", percentiles(times))
    }

    /// Two connections with TLS, and six round trips over them.
    private static func meet(_ address: PeerAddress, _ security: Security, _ options: Options) async throws {
        var times: [UInt64] = []
        for number in 0...options.count("times", 10) {
            let begin = nanoseconds()
            try await open(address, security).executeThenClose { inbound, outbound in
                var answers = inbound.makeAsyncIterator()
                // The first byte waits for the handshake.
                try await outbound.write(ByteBuffer(string: "?"))
                _ = try await answers.next()
                try await open(address, security).executeThenClose { inbound, outbound in
                    var answers = inbound.makeAsyncIterator()
                    for _ in 0..<5 {
                        try await outbound.write(ByteBuffer(string: "?"))
                        _ = try await answers.next()
                    }
                    if number > 0 { times.append(nanoseconds() - begin) }
                }
            }
        }
        emit("result", percentiles(times))
    }

    /// Cuts messages out of bytes.
    private struct Messages {
        private var bytes = ByteBuffer()

        mutating func append(_ more: ByteBuffer) {
            if bytes.readableBytes == 0 {
                bytes = more
            } else {
                var more = more
                bytes.discardReadBytes()
                bytes.writeBuffer(&more)
            }
        }

        mutating func next() -> Data? {
            guard let length = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self),
                bytes.readableBytes >= 4 + Int(length)
            else { return nil }
            bytes.moveReaderIndex(forwardBy: 4)
            return bytes.readSlice(length: Int(length)).map { Data($0.readableBytesView) }
        }
    }
}
