import Foundation
import PeerCore
import PeerTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EncryptionTests {
    enum Expected: Sendable {
        case encrypted, plainText, mismatch
    }

    struct Case: Sendable {
        var sender: EncryptionPreference
        var receiver: EncryptionPreference
        var expected: Expected
    }

    static let table = [
        Case(sender: .required, receiver: .required, expected: .encrypted),
        Case(sender: .required, receiver: .optional, expected: .encrypted),
        Case(sender: .required, receiver: .none, expected: .mismatch),
        Case(sender: .optional, receiver: .required, expected: .encrypted),
        Case(sender: .optional, receiver: .optional, expected: .encrypted),
        Case(sender: .optional, receiver: .none, expected: .plainText),
        Case(sender: .none, receiver: .required, expected: .mismatch),
        Case(sender: .none, receiver: .optional, expected: .plainText),
        Case(sender: .none, receiver: .none, expected: .plainText),
    ]

    @Test(arguments: table) func bothSidesAgreeOrBothSayWhyNot(row: Case) async throws {
        var pair = try Pair()
        pair.sending.encryption = row.sender
        pair.receiving.encryption = row.receiver
        let source = try TransferTests.source(sizes: [50_000])
        let sink = MemorySink()
        let outcome = try await pair.transfer(source, into: sink)
        switch row.expected {
        case .mismatch:
            #expect(peerError(outcome.received)?.code == .encryptionMismatch)
            #expect(peerError(outcome.sent?.result)?.code == .encryptionMismatch)
            #expect(sink.snapshot.begun == 0)
        case .encrypted:
            #expect(try outcome.received.get().peer?.security == .encrypted(pair.senderIdentity.id))
            #expect(outcome.sent?.peer?.security == .encrypted(pair.receiverIdentity.id))
            #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        case .plainText:
            #expect(try outcome.received.get().peer?.security == .plainText)
            #expect(outcome.sent?.peer?.security == .plainText)
            #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        }
    }

    @Test func theFallbackToPlainTextDoesNotWaitForTheLinger() async throws {
        var pair = try Pair()
        pair.sending.encryption = .none
        pair.receiving.encryption = .optional
        // Longer than the test may take.
        pair.sending.lingerTimeout = .seconds(3600)
        pair.receiving.lingerTimeout = .seconds(3600)
        let outcome = try await pair.transfer(TransferTests.source(sizes: [10]), into: MemorySink())
        #expect(throws: Never.self) { try outcome.received.get() }
    }

    /// The transfer that was refused is a step to the other one.
    @Test func theFallbackToPlainTextIsReportedOnce() async throws {
        var pair = try Pair()
        pair.sending.encryption = .none
        pair.receiving.encryption = .optional
        pair.sending.plainTextRetryTime = .seconds(500)
        let finished = try await pair.serving(TransferTests.source(sizes: [10])) { [pair] address, finished in
            _ = try await pair.receive(from: address, into: MemorySink())
            return finished
        }
        let results = await finished.rest().map(\.result)
        #expect(results.count == 1)
        for result in results { #expect(throws: Never.self) { try result.get() } }
    }

    @Test func whoDoesNotComeBackInPlainTextIsReported() async throws {
        var pair = try Pair()
        pair.sending.encryption = .none
        pair.sending.plainTextRetryTime = .seconds(500)
        let finished = try await pair.serving(TransferTests.source(sizes: [10])) { [pair] address, finished in
            let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
            #expect(peerError(result)?.code == .encryptionMismatch)
            return finished
        }
        // The sender was stopped, which ends the waiting.
        #expect(await finished.rest().map { peerError($0.result)?.code } == [.encryptionMismatch])
    }

    @Test func theFallbackIsNotReportedAsFailure() async throws {
        var pair = try Pair()
        pair.sending.encryption = .none
        pair.receiving.encryption = .optional
        let (updates, continuation) = TransferUpdates.makeStream()
        let source = try TransferTests.source(sizes: [10])
        _ = try await pair.transfer(source, into: MemorySink(), updates: continuation)
        continuation.finish()
        for await update in updates {
            if case .transfer(.failed(let error)) = update.event { Issue.record("\(error)") }
        }
    }

    @Test(arguments: [true, false]) func onlyTheNewestTLSWillDo(isNewest: Bool) async throws {
        let pair = try Pair()
        let identity = try PeerIdentity.generate(for: .hikeshare)
        let source = try TransferTests.source(sizes: [10])
        try await pair.serving(source) { address, _ in
            let security: RawPeer.Security = isNewest ? .encrypted(identity) : .encryptedWithTLS12(identity)
            try await RawPeer.connected(to: address, security: security) { peer in
                await peer.send(Preface.hikeshare.bytes)
                let first = try await peer.nextFrame()
                #expect((first != nil) == isNewest)
            }
        }
    }

    /// What both want of encryption, and who has pinned whom: plain text is never for friends.
    @Test(arguments: table, [(true, false), (false, true), (true, true)])
    func friendsAreNeverSpokenToInPlainText(row: Case, pins: (atSender: Bool, atReceiver: Bool)) async throws {
        var pair = try Pair()
        pair.sending.encryption = row.sender
        pair.receiving.encryption = row.receiver
        if pins.atSender { pair.senderTrust = MemoryTrustStore([pair.receiverIdentity.id: "Receiver"]) }
        if pins.atReceiver { pair.receiverTrust = MemoryTrustStore([pair.senderIdentity.id: "Sender"]) }
        let sink = MemorySink()
        let source = try TransferTests.source(sizes: [50_000])
        let outcome = try await pair.transfer(source, into: sink)
        switch row.expected {
        case .encrypted:
            #expect(try outcome.received.get().peer?.security == .encrypted(pair.senderIdentity.id))
            #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        case .mismatch, .plainText:
            #expect(peerError(outcome.received) != nil)
            #expect(peerError(outcome.sent?.result) != nil)
            #expect(sink.snapshot.begun == 0)
        }
    }

    @Test func theExpectedPeerIsLetIn() async throws {
        let pair = try Pair()
        let source = try TransferTests.source(sizes: [10])
        let outcome = try await pair.transfer(source, into: MemorySink(), expecting: pair.senderIdentity.id)
        #expect(try outcome.received.get().peer?.id == pair.senderIdentity.id)
    }

    @Test(arguments: [EncryptionPreference.required, .optional])
    func anyOtherPeerThanTheExpectedIsRefused(encryption: EncryptionPreference) async throws {
        let pair = try Pair(encryption: encryption)
        let other = try PeerIdentity.generate(for: .hikeshare)
        let sink = MemorySink()
        let source = try TransferTests.source(sizes: [10])
        let outcome = try await pair.transfer(source, into: sink, expecting: other.id)
        #expect(peerError(outcome.received)?.code == .notTrusted)
        #expect(peerError(outcome.sent?.result) != nil)
        #expect(sink.snapshot.examined == 0)
    }

    @Test func anExpectedPeerIsNeverTakenInPlainText() async throws {
        var pair = try Pair()
        pair.sending.encryption = .none
        pair.receiving.encryption = .optional
        let source = try TransferTests.source(sizes: [10])
        let outcome = try await pair.transfer(source, into: MemorySink(), expecting: pair.senderIdentity.id)
        #expect(peerError(outcome.received)?.code == .encryptionMismatch)
    }

    @Test func expectingAPeerNeedsEncryption() async throws {
        let pair = try Pair(encryption: .none)
        let result = await outcome {
            try await TransferReceiver(local: pair.receiver, configuration: pair.receiving).receive(
                from: [],
                expecting: pair.senderIdentity.id,
                into: MemorySink()
            ) { _ in .accept([]) }
        }
        #expect(peerError(result)?.code == .invalidArgument)
    }

    @Test func aFriendIsRecognisedByItsCertificate() async throws {
        var pair = try Pair()
        pair.receiverTrust = MemoryTrustStore([pair.senderIdentity.id: "Friend"])
        let source = try TransferTests.source(sizes: [10])
        let outcome = try await pair.transfer(source, into: MemorySink())
        #expect(try outcome.received.get().peer?.trust == .trusted(name: "Friend"))
        #expect(outcome.sent?.peer?.trust == .unknown)
    }
}
