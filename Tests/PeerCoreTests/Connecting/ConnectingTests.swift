import Glibc
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// Senders that may be at several addresses, of which only some are theirs.
@Suite(.timeLimit(.minutes(10))) struct ConnectingTests {
    /// What is at an address at which the sender is not.
    enum Other: CaseIterable, Sendable {
        case nothing, silence, garbage, webPage, end, impostor, plainText, noAnswer
    }

    /// Makes such an address for as long as `body` runs.
    private func with<Result: Sendable>(
        _ other: Other,
        _ body: @Sendable (SocketAddress) async throws -> Result
    ) async throws -> Result {
        func serving(_ serve: @escaping @Sendable (RawConnection) -> Void) async throws -> Result {
            try await RawServer.with(serve: serve) { server in
                try await body(SocketAddress(ipAddress: "127.0.0.1", port: server.port))
            }
        }
        switch other {
        case .nothing:
            return try await body(SocketAddress(ipAddress: "127.0.0.1", port: RawServer.unusedPort()))
        case .silence:
            return try await serving { $0.readToEnd() }
        case .garbage:
            return try await serving { connection in
                _ = connection.read()
                connection.write(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))
                connection.readToEnd()
            }
        case .webPage:
            return try await serving { connection in
                _ = connection.read()
                connection.write(Array("HTTP/1.1 302 Found\r\n\r\n".utf8))
                connection.readToEnd()
            }
        case .end:
            return try await serving { _ in }
        case .impostor:
            return try await Pair().serving(TransferTests.source(sizes: [10])) { address, _ in
                try await body(address)
            }
        case .plainText:
            return try await Pair(encryption: .none).serving(TransferTests.source(sizes: [10])) { address, _ in
                try await body(address)
            }
        case .noAnswer:
            let nowhere = try Nowhere()
            defer { nowhere.close() }
            return try await body(nowhere.address)
        }
    }

    private func receive(
        _ pair: Pair,
        from addresses: [SocketAddress],
        expecting expected: PeerID? = nil,
        into sink: MemorySink = MemorySink()
    ) async throws -> TransferReceiver.Result {
        try await TransferReceiver(local: pair.receiver, configuration: pair.receiving).receive(
            from: addresses,
            expecting: expected,
            into: sink
        ) { .accept($0.kinds) }
    }

    @Test(arguments: Other.allCases, [true, false])
    func theSenderIsReachedWhateverElseAnswers(other: Other, isFirst: Bool) async throws {
        let pair = try Pair()
        let sink = MemorySink()
        try await pair.serving(TransferTests.source(sizes: [10])) { [pair] address, _ in
            try await with(other) { otherAddress in
                let addresses = isFirst ? [otherAddress, address] : [address, otherAddress]
                let result = try await receive(pair, from: addresses, expecting: pair.senderIdentity.id, into: sink)
                #expect(result.peer?.id == pair.senderIdentity.id)
            }
        }
        #expect(sink.snapshot.isCommitted)
    }

    @Test(arguments: [Other.nothing, .silence, .garbage, .webPage, .end, .noAnswer])
    func whereNoPeerIsExpectedSomethingElseNeverWins(other: Other) async throws {
        for encryption in [EncryptionPreference.required, .none] {
            let pair = try Pair(encryption: encryption)
            try await pair.serving(TransferTests.source(sizes: [10])) { [pair] address, _ in
                try await with(other) { otherAddress in
                    let result = try await receive(pair, from: [otherAddress, address])
                    #expect(result.peer?.id == pair.senderIdentity.id)
                }
            }
        }
    }

    @Test func manyDeadAddressesDoNotHoldItUp() async throws {
        let pair = try Pair()
        let nowhere = try (0..<10).map { _ in try Nowhere() }
        defer { for one in nowhere { one.close() } }
        try await pair.serving(TransferTests.source(sizes: [10])) { [pair] address, _ in
            let result = try await receive(
                pair,
                from: nowhere.map(\.address) + [address],
                expecting: pair.senderIdentity.id
            )
            #expect(result.bytesTransferred == 10)
        }
    }

    @Test func whoLosesIsClosed() async throws {
        let (ended, mark) = AsyncStream.makeStream(of: Void.self)
        let (accepted, acceptedIn) = AsyncStream.makeStream(of: Void.self)
        let pair = try Pair()
        try await RawServer.with { connection in
            acceptedIn.yield()
            connection.readToEnd()
            mark.yield()
        } _: { server in
            let silent = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            try await pair.serving(TransferTests.source(sizes: [10])) { address, _ in
                _ = try await receive(pair, from: [silent, address], expecting: pair.senderIdentity.id)
            }
            for await _ in accepted { break }
            // Without the end of the connection, the test reaches its limit.
            for await _ in ended { break }
        }
    }

    @Test(
        arguments: [
            (Other.impostor, PeerError.Code.notTrusted, "a machine with another key answers", .otherKey),
            (.garbage, .protocolViolation, "another program answers", .otherProgram),
            (.webPage, .protocolViolation, "a web page answers", .webPage),
            (.end, .connectionLost, "closes the connection", .reset),
            (.nothing, .cannotConnect, "Connection refused", .failed(ECONNREFUSED)),
            (.plainText, .encryptionMismatch, "does not encrypt", nil),
            (.silence, .timedOut, "accepts connections but does not answer", .speechless),
            (.noAnswer, .cannotConnect, "no answer in time", .silent),
        ] as [(Other, PeerError.Code, String, UnansweredConnection.Outcome?)]
    )
    func whatHappenedAtEachAddressIsSaid(
        other: Other,
        code: PeerError.Code,
        words: String,
        outcome expected: UnansweredConnection.Outcome?
    ) async throws {
        var pair = try Pair()
        // Only the timer that must end the attempt is short, as the machine may be busy.
        if other == .noAnswer { pair.receiving.connectTimeout = .seconds(3) }
        if other == .silence { pair.receiving.securingTimeout = .milliseconds(700) }
        let free = try SocketAddress(ipAddress: "127.0.0.1", port: RawServer.unusedPort())
        try await with(other) { [pair] otherAddress in
            let one = await outcome {
                try await receive(pair, from: [otherAddress], expecting: pair.senderIdentity.id)
            }
            #expect(peerError(one)?.code == code)
            #expect((peerError(one)?.cause as? UnansweredConnection)?.outcomes.first?.outcome == expected, "\(one)")
            #expect(peerError(one)?.message.contains("Tried:") == false, "\(one)")
            let two = await outcome {
                try await receive(pair, from: [free, otherAddress], expecting: pair.senderIdentity.id)
            }
            let error = peerError(two)
            #expect(error?.code == code, "\(two)")
            #expect(error?.message.contains("\(otherAddress.displayText) (\(words))") == true, "\(two)")
            #expect(error?.message.contains("\(free.displayText) (Connection refused)") == true, "\(two)")
            let mentionsVPN = error?.remedy?.contains("VPN") == true
            #expect(mentionsVPN == (other == .noAnswer), "\(two)")
        }
    }

    @Test func theMessageNamesOnlySomeOfManyAddresses() async throws {
        let pair = try Pair()
        let ports = try (0..<20).map { _ in try RawServer.unusedPort() }
        let addresses = try ports.map { try SocketAddress(ipAddress: "127.0.0.1", port: $0) }
        let error = peerError(await outcome { try await receive(pair, from: addresses) })
        #expect(error?.code == .cannotConnect)
        #expect(error?.message.contains("and 14 more") == true, "\(String(describing: error))")
    }

    @Test func connectingEndsInTime() async throws {
        let pair = try Pair()
        let nowhere = try Nowhere()
        defer { nowhere.close() }
        let result = await outcome {
            try await TransferReceiver(local: pair.receiver, configuration: pair.receiving).receive(
                from: [nowhere.address],
                connectingWithin: .milliseconds(300),
                into: MemorySink()
            ) { .accept($0.kinds) }
        }
        let error = peerError(result)
        #expect(error?.code == .cannotConnect)
        #expect(error?.message.contains("no answer in time") == true)
    }

    /// The fallback to plain text is for addresses that have asked for it, and only if none of the others encrypts.
    @Test func plainTextIsOnlyTriedWhereItWasAskedFor() async throws {
        var pair = try Pair()
        pair.receiving.encryption = .optional
        let silentAccepted = Locked(0)
        try await RawServer.with { connection in
            silentAccepted.set(silentAccepted.value + 1)
        } _: { [pair] server in
            let ending = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            try await with(.plainText) { plain in
                let result = try await receive(pair, from: [ending, plain])
                #expect(result.peer?.security == .plainText)
                #expect(silentAccepted.value == 1)
                try await pair.serving(TransferTests.source(sizes: [10])) { address, _ in
                    let encrypted = try await receive(pair, from: [plain, address])
                    #expect(encrypted.peer?.security == .encrypted(pair.senderIdentity.id))
                }
            }
        }
    }
}
