import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PeerStorage
import Synchronization

/// One request of the client and its answer.
final class WebExchange: Sendable {
    /// The length of what is read of a file at once, which a server on a slow Wi-Fi must be able to take in time.
    private static let stepLength: UInt64 = 256 * 1024

    private let address: WebAddress
    private let target: String
    private let content: WebClient.Content
    private let options: WebClient.Options
    /// The end of the handshake, or the connection if there is none.
    private let ready = Awaited<Void>()
    private let answer = Awaited<WebClient.Answer>()
    private let channel = Mutex<(any Channel)?>(nil)
    /// The certificate of the server in DER form.
    private let certificate = Mutex<[UInt8]?>(nil)

    init(_ address: WebAddress, _ target: String, _ content: WebClient.Content, _ options: WebClient.Options) {
        (self.address, self.target, self.content, self.options) = (address, target, content, options)
    }

    /// Sends the request, and waits for its answer.
    func run() async throws -> WebClient.Answer {
        defer { close() }
        let channel = try await connect()
        try await ready.value()
        // Cancelled with this scope: the answer may come before the content has been sent.
        async let _ = sendAll(on: channel)
        let answer = try await answer.value()
        close()
        return answer
    }

    private func sendAll(on channel: any Channel) async {
        do {
            try await send(on: channel)
        } catch let failure as WebClient.Failure {
            fail(failure)
        } catch {
            // An answer that has come before is still read. Without one, the end of the connection is the failure.
            channel.close(promise: nil)
        }
    }

    /// Ends the exchange without an answer, unless there is one.
    func fail(_ error: any Error) {
        settle(error)
        close()
    }

    private func settle(_ error: any Error) {
        ready.settle(.failure(error))
        answer.settle(.failure(error))
    }

    private func close() { channel.withLock { $0 }?.close(promise: nil) }

    // MARK: The connection

    private func connect() async throws -> any Channel {
        do {
            let security = address.isSecure ? try context() : nil
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(TimeAmount(options.connectTime))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try self.prepare(channel, security) }
                }
                .connect(to: address.socketAddress()).get()
        } catch {
            // A cancelled task has settled it already.
            fail(WebClient.Failure.unreachable)
            try await ready.value()
            throw error
        }
    }

    private func prepare(_ channel: any Channel, _ security: NIOSSLContext?) throws {
        self.channel.withLock { $0 = channel }
        // The task may have been cancelled before.
        guard !answer.isSettled else { throw CancellationError() }
        let pipeline = channel.pipeline.syncOperations
        if let security {
            try pipeline.addHandler(
                NIOSSLClientHandler(context: security, serverHostname: nil) { certificates, promise in
                    promise.succeed(self.accepts(certificates) ? .certificateVerified : .failed)
                }
            )
        }
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder(limitConfiguration: HeaderLimits.decoder)))
        try pipeline.addHandler(AnswerReader(self, options, isSecure: security != nil))
    }

    private func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.setWebDefaults()
        if let identity = options.identity {
            configuration.certificateChain = [.certificate(identity.certificate)]
            configuration.privateKey = .privateKey(identity.privateKey)
        }
        // `accepts` replaces the verification.
        configuration.certificateVerification = .noHostnameVerification
        return try NIOSSLContext(configuration: configuration)
    }

    /// Returns whether the certificate of the server is the expected one.
    private func accepts(_ certificates: [NIOSSLCertificate]) -> Bool {
        guard let bytes = try? certificates.first?.toDERBytes() else { return false }
        certificate.withLock { $0 = bytes }
        guard options.expects(bytes) else {
            // The failed handshake closes the connection; closing it here would call into the handshake again.
            settle(WebClient.Failure.otherCertificate)
            return false
        }
        return true
    }

    /// Notes that the request can be sent.
    func isReady() { ready.settle(.success(())) }

    /// Notes the complete answer.
    func answered(_ status: Int, _ content: [UInt8]) {
        let certificate = certificate.withLock { $0 }
        answer.settle(.success(WebClient.Answer(status: status, content: content, certificate: certificate)))
        close()
    }

    // MARK: The request

    private func send(on channel: any Channel) async throws {
        var fields: HTTPHeaders = [
            "Host": address.field, "Content-Length": "\(content.length)", "Connection": "close",
        ]
        if let type = content.type { fields.add(name: "Content-Type", value: type) }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: target, headers: fields)
        try await write([.head(head)], on: channel)
        switch content {
        case .bytes(let bytes, _):
            if !bytes.isEmpty { try await write([.body(.byteBuffer(ByteBuffer(bytes: bytes)))], on: channel) }
        case .file(let file, let range, _):
            try await write(file, range, on: channel)
        }
        guard !answer.isSettled else { return }
        try await write([.end, .sent], on: channel)
    }

    /// Writes a range of a file in steps, until the answer has come.
    private func write(_ file: OpenFile, _ range: Range<UInt64>, on channel: any Channel) async throws {
        var position = range.lowerBound
        while position < range.upperBound, !answer.isSettled {
            let limit = UInt64(max(1, options.pace?.stepLimit ?? .max))
            let start = position
            let end = start + min(range.upperBound - start, limit, Self.stepLength)
            await options.pace?.wait(Int(end - start), left: range.upperBound - start)
            let bytes = try await NIOThreadPool.singleton.runIfActive { try Self.read(file, start..<end) }
            try await write([.body(.byteBuffer(bytes))], on: channel)
            position = end
            options.progress(end - range.lowerBound)
        }
    }

    private static func read(_ file: OpenFile, _ range: Range<UInt64>) throws -> ByteBuffer {
        let length = Int(clamping: range.upperBound - range.lowerBound)
        var bytes = ByteBuffer()
        do {
            try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { buffer in
                try file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length)),
                    at: range.lowerBound
                )
            }
        } catch {
            throw WebClient.Failure.unreadable
        }
        guard bytes.readableBytes == length else { throw WebClient.Failure.unreadable }
        return bytes
    }

    /// Gives steps to the network, which must take them in time.
    private func write(_ steps: [AnswerReader.Step], on channel: any Channel) async throws {
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(options.idleTime)) {
            self.fail(WebClient.Failure.silent)
        }
        defer { deadline.cancel() }
        for step in steps.dropLast() { channel.write(step, promise: nil) }
        if let last = steps.last { try await channel.writeAndFlush(last).get() }
    }
}
