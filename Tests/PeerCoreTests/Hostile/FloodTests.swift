import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Many connections from many addresses, against one honest receiver from another one.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FloodTests {
    /// Keeps connections from these addresses open, each after `script`, for as long as `body` runs.
    private static func flooding(
        _ address: SocketAddress,
        from addresses: [String],
        _ script: @escaping @Sendable (RawPeer) async throws -> Void,
        _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (ready, mark) = AsyncStream.makeStream(of: Void.self)
            for own in addresses {
                group.addTask {
                    // A peer that is sent away has played its part, even if that happens while it connects.
                    do {
                        try await RawPeer.connected(to: address, from: own) { peer in
                            try? await script(peer)
                            mark.yield()
                            await peer.waitForEnd()
                        }
                    } catch {
                        mark.yield()
                    }
                }
            }
            var count = 0
            for await _ in ready {
                count += 1
                if count == addresses.count { break }
            }
            try await body()
            group.cancelAll()
        }
    }

    private static func addresses(_ count: Int, each connections: Int) -> [String] {
        (0..<connections).flatMap { _ in (2..<2 + count).map { "127.0.0.\($0)" } }
    }

    /// Accepts the honest receiver and leaves everybody else waiting.
    private static func busyPerson(
        _ asked: Locked<[String]>,
        told: AsyncStream<Void>.Continuation? = nil
    ) -> @Sendable (Invitation) async -> InvitationAnswer {
        { invitation in
            asked.withLock { $0.append(invitation.peer.displayName) }
            told?.yield()
            if invitation.peer.displayName == "Receiver" { return .accept }
            while (try? await Task.sleep(for: .seconds(3600))) != nil {}
            return .decline(Refusal(.noAnswer, "nobody"))
        }
    }

    @Test func silentConnectionsFromManyAddressesKeepNobodyOut() async throws {
        let pair = try Pair()
        let sink = MemorySink()
        try await pair.serving(TransferTests.source(sizes: [100_000])) { address, _ in
            try await Self.flooding(address, from: Self.addresses(40, each: 10)) { _ in
            } _: {
                _ = try await pair.receive(from: address, into: sink)
            }
        }
        #expect(sink.snapshot.committed != nil)
    }

    @Test func strangersWhoWaitForAnAnswerKeepNobodyOut() async throws {
        let pair = try Pair(encryption: .none)
        let sink = MemorySink()
        let asked = Locked<[String]>([])
        try await pair.serving(
            TransferTests.source(sizes: [100_000]),
            invite: Self.busyPerson(asked),
            { address, _ in
                try await Self.flooding(address, from: Self.addresses(30, each: 1)) { peer in
                    try await peer.greet()
                    try await peer.send(.invite(InvitationRequest(timeout: 300)))
                    // Those who come later make the first ones go.
                } _: {
                    _ = try await pair.receive(from: address, into: sink)
                }
            }
        )
        #expect(sink.snapshot.committed != nil)
        #expect(asked.value.contains("Receiver"))
    }

    @Test func aMachineThatPairsWithoutEndKeepsNobodyOut() async throws {
        var pair = try Pair()
        // As it is for everybody.
        pair.sending.guesses.pairingBurst = ConnectionConfiguration().guesses.pairingBurst
        pair.sending.pairingTimeout = ConnectionConfiguration().pairingTimeout
        let sink = MemorySink()
        let asked = Locked<[String]>([])
        let identity = try PeerIdentity.generate(for: .hikeshare)
        try await pair.serving(
            TransferTests.source(sizes: [100_000]),
            invite: Self.busyPerson(asked),
            { address, _ in
                for _ in 0..<20 {
                    try await RawPeer.connected(to: address, from: "127.0.0.2", security: .encrypted(identity)) {
                        peer in
                        try await peer.greet(RawPeer.hello(identity.id, encryption: .required))
                        try await peer.send(.invite(InvitationRequest(timeout: 300)))
                        _ = try await peer.nextFrame()
                    }
                }
                _ = try await pair.receive(from: address, into: sink)
            }
        )
        #expect(sink.snapshot.committed != nil)
        #expect(asked.value.contains("Receiver"))
    }

    @Test func silentConnectionsInTLSAreClosedAtOnce() async throws {
        let pair = try Pair()
        let sink = MemorySink()
        try await pair.serving(TransferTests.source(sizes: [100_000])) { address, _ in
            let identity = try PeerIdentity.generate(for: .hikeshare)
            let first = try await RawPeer.connected(to: address, from: "127.0.0.2", security: .encrypted(identity)) {
                first in
                try await first.greet(RawPeer.hello(identity.id, encryption: .required))
                try await Self.flooding(address, from: Array(repeating: "127.0.0.2", count: 20)) { _ in
                } _: {
                    // The oldest of its address has made room for the others.
                    await first.waitForEnd()
                    _ = try await pair.receive(from: address, into: sink)
                }
                return true
            }
            #expect(first)
        }
        #expect(sink.snapshot.committed != nil)
    }

    @Test func oneAddressHasFewQuestionsAtATime() async throws {
        let pair = try Pair(encryption: .none)
        let asked = Locked<[String]>([])
        let waiting = AsyncStream.makeStream(of: Void.self)
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: Self.busyPerson(asked, told: waiting.continuation),
            { address, _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            try await RawPeer.connected(to: address, from: "127.0.0.2") { peer in
                                try await peer.greet()
                                try await peer.send(.invite(InvitationRequest(timeout: 300)))
                                if case .decline(let refusal) = try await peer.nextFrame() {
                                    #expect(refusal.code == .busy)
                                    waiting.continuation.yield()
                                }
                            }
                        }
                    }
                    var count = 0
                    for await _ in waiting.stream {
                        count += 1
                        // Four are declined, and about two somebody is asked.
                        if count == 6 { break }
                    }
                    let honest = try await pair.receive(from: address, into: MemorySink())
                    #expect(honest.bytesTransferred == 10)
                    group.cancelAll()
                }
            }
        )
        #expect(asked.value.count { $0 == "Raw" } == 2)
    }

    @Test func aFloodIsNotReportedOneByOne() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.lingerTimeout = .milliseconds(100)
        let sink = MemorySink()
        let finished = Locked(0)
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) {
            [pair] listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            let source = try TransferTests.source(sizes: [10])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await TransferSender(local: pair.sender, source: source, configuration: pair.sending).serve(
                        on: listener,
                        decide: { _ in .accept },
                        finished: { transfer in
                            finished.withLock { $0 += 1 }
                            return transfer.peer?.displayName != "Receiver"
                        }
                    )
                }
                for _ in 0..<60 {
                    try await RawPeer.connected(to: address) { peer in
                        await peer.send("GET / HTTP/1.1\r\n\r\n".utf8)
                        await peer.waitForEnd()
                    }
                }
                _ = try await pair.receive(from: address, into: sink)
                try await group.waitForAll()
            }
        }
        #expect(finished.value == 11)
    }
}
