import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// What a receiver takes an answer in plain text for.
@Suite(.timeLimit(.minutes(1))) struct SecurityDetectorTests {
    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", PeerError.Code.protocolViolation),
        ("HIKESHRX", .protocolViolation),
        ("H", .connectionLost),
        ("HIKESHR\n", .encryptionMismatch),
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
