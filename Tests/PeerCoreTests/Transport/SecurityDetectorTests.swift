import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// What a receiver takes an answer in plain text for.
@Suite(.timeLimit(.minutes(10))) struct SecurityDetectorTests {
    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", PeerError.Code.protocolViolation),
        ("HIKESHAX", .protocolViolation),
        ("H", .connectionLost),
        ("HIKESHA\n", .encryptionMismatch),
        ("SSH-2.0-OpenSSH_9.2\r\n", .protocolViolation),
    ])
    func onlyTheWholePrefaceMeansAPeerThatDoesNotEncrypt(answer: String, code: PeerError.Code) async throws {
        var pair = try Pair()
        pair.receiving.lingerTimeout = .milliseconds(100)
        try await RawServer.with { connection in
            _ = connection.read()
            // Byte by byte, as TCP may deliver it.
            for byte in answer.utf8 { connection.write([byte]) }
            connection.finishWriting()
            connection.readToEnd()
        } _: { [pair] server in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
            #expect(peerError(result)?.code == code)
        }
    }

    /// Not a byte of what a listener that insists on encryption says of itself leaves in plain text.
    @Test(arguments: [true, false]) func aListenerThatInsistsOnEncryptionOnlyRefusesInPlainText(
        isWhole: Bool
    ) async throws {
        var pair = try Pair(encryption: .required)
        pair.sending.lingerTimeout = .milliseconds(100)
        let source = try TransferTests.source(sizes: [1000])
        try await pair.serving(source) { [pair] address, finished in
            var bytes = Array(Preface.hikeshare.bytes)
            var hello = ByteBuffer()
            try FrameEncoder(preface: .hikeshare).write(.hello(RawPeer.hello(encryption: .optional)), into: &hello)
            bytes += hello.readableBytesView
            var answer = try await RawPeer.connected(to: address) { [bytes] peer in
                await peer.send(isWhole ? bytes : [bytes[0]])
                return await peer.bytesToEnd()
            }
            let preface = answer.readBytes(length: Preface.hikeshare.bytes.count)
            #expect(preface == Array(Preface.hikeshare.bytes))
            // One frame, and it is the refusal.
            let read = answer.readMultipleIntegers(as: (UInt8, UInt8, UInt16, UInt32).self)
            let header = try #require(read)
            #expect(header.0 == FrameType.failure.rawValue)
            #expect(answer.readableBytes == Int(header.3))
            let words = String(buffer: answer)
            #expect(words.contains("encryptionMismatch"))
            #expect(!words.contains(pair.sender.id.hex) && !words.contains(pair.sender.displayName))
            #expect(peerError(await finished.next()?.result)?.code == .encryptionMismatch)
        }
    }

    @Test func aWebServerIsNotTriedAgainInPlainText() async throws {
        let pair = try Pair(encryption: .optional)
        let connections = Locked(0)
        try await RawServer.with { connection in
            connections.set(connections.value + 1)
            _ = connection.read()
            connection.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
            connection.finishWriting()
            connection.readToEnd()
        } _: { server in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
            #expect(peerError(result)?.code == .protocolViolation)
        }
        #expect(connections.value == 1)
    }
}
