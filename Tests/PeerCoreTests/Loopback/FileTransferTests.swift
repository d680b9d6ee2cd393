import Foundation
import Glibc
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

/// Resources that are files.
@Suite(.timeLimit(.minutes(10))) struct FileTransferTests {
    static func withFile<Result>(
        size: Int,
        _ body: (AlteredSource, String) async throws -> Result
    ) async throws -> Result {
        try await TemporaryDirectory.with { directory in
            let source = try TransferTests.source(sizes: [size])
            let path = directory.path("map")
            try Data(source.bytes(.mbtiles) ?? []).write(to: URL(fileURLWithPath: path))
            return try await body(AlteredSource(base: source) { _ in .file(path: path) }, path)
        }
    }

    @Test(arguments: [EncryptionPreference.none, .required])
    func sixtyFiveMegabytesArriveWhole(encryption: EncryptionPreference) async throws {
        try await Self.withFile(size: 65_000_001) { source, _ in
            let sink = MemorySink()
            let outcome = try await Pair(encryption: encryption).transfer(source, into: sink)
            #expect(try outcome.received.get().bytesTransferred == 65_000_001)
            #expect(sink.snapshot.committed?[.mbtiles] == source.base.bytes(.mbtiles))
        }
    }

    @Test(arguments: [EncryptionPreference.none, .required])
    func onlyChangedChunksCross(encryption: EncryptionPreference) async throws {
        try await Self.withFile(size: 1_000_000) { source, _ in
            let sink = MemorySink()
            var older = try #require(source.base.bytes(.mbtiles))
            // The first chunk, two in the middle and the short one at the end.
            for position in [5, 16_384 * 7, 16_384 * 8 + 1, 999_999] { older[position] ^= 0xFF }
            sink.state.withLock { $0.alreadyThere[.mbtiles] = older }
            let outcome = try await Pair(encryption: encryption).transfer(source, into: sink)
            let rest = UInt64(1_000_000 % 16_384)
            #expect(try outcome.received.get().bytesTransferred == 3 * 16_384 + rest)
            #expect(outcome.sent?.bytesTransferred == 3 * 16_384 + rest)
            #expect(sink.snapshot.committed?[.mbtiles] == source.base.bytes(.mbtiles))
        }
    }

    /// In plain text the kernel sends the file itself: zeros may come in place of what is gone, or the connection ends
    /// in the middle of a frame.
    @Test(arguments: [EncryptionPreference.none, .required])
    func aFileThatShrinksEndsTheTransfer(encryption: EncryptionPreference) async throws {
        try await Self.withFile(size: 65_000_000) { source, path in
            let sink = MemorySink()
            sink.state.withLock { $0.beforeWrite = { if $0 == 0 { truncate(path, 100) } } }
            var pair = try Pair(encryption: encryption)
            pair.sending.lingerTimeout = .milliseconds(200)
            let outcome = try await pair.transfer(source, into: sink)
            let sent = peerError(outcome.sent?.result)
            #expect(sent?.code == .localStorage)
            #expect(sent?.message.contains("changed") == true)
            let received = peerError(outcome.received)
            switch encryption {
            case .none: #expect([.peerFailed, .connectionLost, .verificationFailed].contains(received?.code))
            default: #expect(received?.code == .peerFailed)
            }
            #expect(!sink.snapshot.isCommitted)
            #expect(sink.snapshot.abandoned == 1)
        }
    }

    /// The receiver finds zeros, and says so before the sender has looked: its word is not the reason.
    @Test func aFileThatShrinksIsTheReasonThoughTheReceiverFailsFirst() async throws {
        try await Self.withFile(size: 65_000_000) { source, path in
            var pair = try Pair()
            let token = ShareToken.random()
            pair.shareToken = token
            pair.sending.lingerTimeout = .milliseconds(200)
            try await pair.serving(source) { [pair] address, finished in
                let security = RawPeer.Security.encrypted(pair.receiverIdentity)
                // It reads so little that the sender never comes to what is gone.
                try await RawPeer.connected(to: address, security: security, readsAbout: 200_000) { peer in
                    try await peer.greet(RawPeer.hello(pair.receiver.id, encryption: .required))
                    try await peer.requestEverything(token: token)
                    #expect(try await peer.waitForData())
                    truncate(path, 60_000_000)
                    try await peer.send(.failure(Failure(code: "digestMismatch", message: "zeros")))
                    #expect(peerError(await finished.next()?.result)?.code == .localStorage)
                }
            }
        }
    }

    @Test(arguments: [EncryptionPreference.none, .required])
    func aFileThatIsDeletedWhileItIsSentStillArrives(encryption: EncryptionPreference) async throws {
        try await Self.withFile(size: 20_000_000) { source, path in
            let sink = MemorySink()
            sink.state.withLock { $0.beforeWrite = { if $0 == 0 { unlink(path) } } }
            let outcome = try await Pair(encryption: encryption).transfer(source, into: sink)
            _ = try outcome.received.get()
            #expect(sink.snapshot.committed?[.mbtiles] == source.base.bytes(.mbtiles))
        }
    }

    @Test func aFileThatIsGoneIsTold() async throws {
        try await Self.withFile(size: 1000) { source, path in
            unlink(path)
            let outcome = try await Pair().transfer(source, into: MemorySink())
            #expect(peerError(outcome.sent?.result)?.code == .localStorage)
            #expect(peerError(outcome.received)?.code == .peerFailed)
        }
    }

    @Test(arguments: ["a folder", "a link", "a longer file"])
    func whatIsNotTheFileIsNotSent(other: String) async throws {
        try await Self.withFile(size: 1000) { source, path in
            switch other {
            case "a folder":
                unlink(path)
                mkdir(path, 0o700)
            case "a link":
                rename(path, path + ".real")
                symlink(path + ".real", path)
            default:
                truncate(path, 1001)
            }
            let outcome = try await Pair().transfer(source, into: MemorySink())
            #expect(peerError(outcome.sent?.result)?.code == .localStorage)
        }
    }

    @Test func anErrorOfTheSourceReachesBothSidesInItsWords() async throws {
        let base = try TransferTests.source(sizes: [1000])
        let source = AlteredSource(base: base) { _ in throw MemoryStoreError(reportToPeer: "The map is lost.") }
        let outcome = try await Pair().transfer(source, into: MemorySink())
        #expect(throws: MemoryStoreError(reportToPeer: "The map is lost.")) { try outcome.sent?.result.get() }
        #expect(peerError(outcome.received)?.message == "The other side reports: The map is lost.")
    }

    @Test func anErrorOfTheDigestsReachesBothSidesInItsWords() async throws {
        let base = try TransferTests.source(sizes: [1000])
        let source = AlteredSource(
            base: base,
            content: { try base.content(of: $0) },
            digests: { _ in throw MemoryStoreError(reportToPeer: "The digests are lost.") }
        )
        let outcome = try await Pair().transfer(source, into: MemorySink())
        #expect(throws: MemoryStoreError(reportToPeer: "The digests are lost.")) { try outcome.sent?.result.get() }
        #expect(peerError(outcome.received)?.message == "The other side reports: The digests are lost.")
    }
}
