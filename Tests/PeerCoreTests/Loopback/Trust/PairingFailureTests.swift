import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Which pairings count as failed, and lock an address for a while.
@Suite(.timeLimit(.minutes(10))) struct PairingFailureTests {
    /// A pair in which only one side counts, with as many failures as lock.
    private static func pair(counting sender: Bool, _ failures: Int) throws -> Pair {
        var pair = try Pair()
        pair.sending.guesses.maximumPairingFailures = sender ? failures : 1000
        pair.receiving.guesses.maximumPairingFailures = sender ? 1000 : failures
        return pair
    }

    /// Receives again and again with one receiver; returns what came of each attempt.
    private static func attempts(
        _ count: Int,
        with pair: Pair,
        control: @escaping @Sendable (Int) -> TransferControl = { _ in TransferControl() },
        into sink: @escaping @Sendable (Int) -> MemorySink = { _ in MemorySink() },
        decide: @escaping @Sendable (Int, TransferOffer) async throws -> OfferAnswer = { .accept($1.kinds) },
        invite: @escaping @Sendable (Invitation) async -> InvitationAnswer = { _ in .accept }
    ) async throws -> [Result<TransferReceiver.Result, any Error>] {
        let receiver = TransferReceiver(local: pair.receiver, configuration: pair.receiving)
        return try await pair.serving(TransferTests.source(sizes: [100]), invite: invite) { address, finished in
            var results: [Result<TransferReceiver.Result, any Error>] = []
            for attempt in 1...count {
                results.append(
                    await outcome {
                        try await receiver.receive(
                            from: [address],
                            into: sink(attempt),
                            control: control(attempt)
                        ) { try await decide(attempt, $0) }
                    }
                )
                _ = await finished.next()
            }
            return results
        }
    }

    private static func isLocked(_ result: Result<TransferReceiver.Result, any Error>) -> Bool {
        guard case .failure(let error as PeerError) = result else { return false }
        return error.message.contains("oo many failed pairings")
    }

    @Test func aRefusalCountsOnce() async throws {
        let results = try await Self.attempts(
            3,
            with: Self.pair(counting: true, 2),
            invite: { _ in .decline(Refusal(.declined, "other digits")) }
        )
        #expect(results.map(Self.isLocked) == [false, false, true])
    }

    @Test(arguments: [true, false]) func whatBreaksAfterTheOfferWasTakenIsNoFailedPairing(sender: Bool) async throws {
        let results = try await Self.attempts(
            4,
            with: Self.pair(counting: sender, 2),
            into: { attempt in
                let sink = MemorySink()
                let error = MemoryStoreError(reportToPeer: "The disk is full.")
                sink.state.withLock { $0.failsFinish = attempt < 4 ? error : nil }
                return sink
            }
        )
        #expect(results.map(Self.isLocked) == [false, false, false, false])
        #expect(try results[3].get().bytesTransferred == 100)
    }

    /// Making a part takes minutes, and a person may not want to wait that long.
    @Test func whoDoesNotWaitForItsPartIsNotLocked() async throws {
        let pair = try Self.pair(counting: true, 2)
        let source = try TransferTests.source(sizes: [100])
        let control = Locked(TransferControl())
        let offering: @Sendable (Invitation) async throws -> any ResourceSource = { invitation in
            guard invitation.context == Data("long".utf8) else { return source }
            control.value.cancel(reason: "enough")
            await untilCancelled()
            return source
        }
        try await pair.serving(source, offering: offering) { address, finished in
            for attempt in 1...4 {
                control.set(TransferControl())
                let receiver = TransferReceiver(local: pair.receiver, configuration: pair.receiving)
                let result = await outcome {
                    try await receiver.receive(
                        from: [address],
                        into: MemorySink(),
                        context: Data((attempt < 4 ? "long" : "short").utf8),
                        control: control.value
                    ) { .accept($0.kinds) }
                }
                _ = await finished.next()
                #expect(!Self.isLocked(result))
                let isReceived = if case .success = result { true } else { false }
                #expect(isReceived == (attempt == 4))
            }
        }
    }

    @Test func aReceiverThatIsStoppedByItsOwnPersonIsNotLocked() async throws {
        let controls = (0...4).map { _ in TransferControl() }
        let results = try await Self.attempts(
            4,
            with: Self.pair(counting: false, 2),
            control: { controls[$0] },
            decide: { attempt, offer in
                guard attempt < 4 else { return .accept(offer.kinds) }
                controls[attempt].cancel(reason: "enough")
                await untilCancelled()
                return .accept([])
            }
        )
        #expect(results.map(Self.isLocked) == [false, false, false, false])
        #expect(try results[3].get().bytesTransferred == 100)
    }

    @Test func whoMakesRoomForAnotherIsNotLocked() async throws {
        var pair = try Self.pair(counting: true, 1)
        pair.sending.maximumInvitations = 1
        let other = try PeerIdentity.generate(for: .hikeshare)
        let isFirst = Locked(true)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let invite: @Sendable (Invitation) async -> InvitationAnswer = { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else { return .accept }
            ask.yield()
            await untilCancelled()
            return .accept
        }
        try await pair.serving(TransferTests.source(sizes: [100]), invite: invite) { [pair] address, finished in
            async let first = outcome { try await pair.receive(from: address, into: MemorySink()) }
            for await _ in asked { break }
            try await RawPeer.connected(to: address, from: "127.0.0.2", security: .encrypted(other)) { peer in
                try await peer.greet(RawPeer.hello(other.id, encryption: .required))
                try await peer.send(.invite(InvitationRequest(timeout: 300)))
                guard try await peer.next(.pairingCommitment) != nil else { throw ScriptError("no commitment") }
            }
            #expect(peerError(await first)?.message.contains("busy with others") == true)
            #expect(try await pair.receive(from: address, into: MemorySink()).bytesTransferred == 100)
        }
    }
}
