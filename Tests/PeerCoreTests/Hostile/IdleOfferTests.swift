import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Receivers that are let in without a question and never answer the offer, as with `send --yes`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct IdleOfferTests {
    /// A sender that lets everyone in, and whose receiver is trusted and has the link.
    private static func openDoor() throws -> Pair {
        var pair = try Pair()
        pair.sending.encryption = .optional
        pair.senderTrust = MemoryTrustStore([pair.receiverIdentity.id: "Ben"])
        pair.receiverTrust = MemoryTrustStore([pair.senderIdentity.id: "Ana"])
        pair.shareToken = .random()
        // These tests are about what comes after the invitation.
        pair.sending.maximumInvitations = 100
        pair.sending.maximumInvitationsPerAddress = 100
        return pair
    }

    /// Holds an offer open from each of these addresses for as long as `body` runs, which gets how many have one.
    private static func idling(
        _ address: SocketAddress,
        from addresses: [String],
        _ body: (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (answers, answered) = AsyncStream.makeStream(of: Bool.self)
            for own in addresses {
                group.addTask {
                    try? await RawPeer.connected(to: address, from: own) { peer in
                        var hasOffer = false
                        if (try? await peer.greet()) != nil {
                            try? await peer.send(.invite(InvitationRequest(timeout: 300)))
                            if case .accept = try? await peer.nextFrame() { hasOffer = true }
                        }
                        answered.yield(hasOffer)
                        if hasOffer { await peer.waitForEnd() }
                    }
                }
            }
            var (count, offers) = (0, 0)
            for await hasOffer in answers {
                count += 1
                if hasOffer { offers += 1 }
                if count == addresses.count { break }
            }
            try await body(offers)
            group.cancelAll()
        }
    }

    /// Somebody who is new, and comes from another address than all who idle.
    private static func receiveAsStranger(_ pair: Pair, from address: SocketAddress) async throws -> UInt64 {
        var stranger = pair
        stranger.receiverIdentity = try PeerIdentity.generate(for: .hikeshare)
        stranger.receiverTrust = EmptyTrustStore()
        return try await stranger.receive(from: address, into: MemorySink()).bytesTransferred
    }

    private static func receiveByShareLink(_ pair: Pair, from address: SocketAddress) async throws -> UInt64 {
        var holder = pair
        holder.receiverIdentity = try PeerIdentity.generate(for: .hikeshare)
        return try await holder.receive(
            from: address,
            expecting: pair.senderIdentity.id,
            token: pair.shareToken,
            into: MemorySink()
        ).bytesTransferred
    }

    @Test func oneAddressLeavesRoomForEverybodyElse() async throws {
        let pair = try Self.openDoor()
        try await pair.serving(TransferTests.source(sizes: [1000])) { address, _ in
            // Not all at once: what waits to be connected has a bound of its own.
            try await Self.idling(address, from: Array(repeating: "127.0.0.2", count: 8)) { offers in
                #expect(offers == 4)
                expect(try await Self.receiveAsStranger(pair, from: address), equals: 1000)
                expect(try await pair.receive(from: address, into: MemorySink()).bytesTransferred, equals: 1000)
                expect(try await Self.receiveByShareLink(pair, from: address), equals: 1000)
            }
        }
    }

    @Test func manyAddressesLeaveRoomForTrustedPeersAndLinks() async throws {
        let pair = try Self.openDoor()
        try await pair.serving(TransferTests.source(sizes: [1000])) { address, _ in
            try await Self.idling(address, from: (2...31).map { "127.0.0.\($0)" }) { offers in
                #expect(offers == 7)
                _ = try await pair.receive(from: address, into: MemorySink()) { offer in
                    // The trusted peer has the last place; an idle offer goes for the holder of the link.
                    expect(try await Self.receiveByShareLink(pair, from: address), equals: 1000)
                    return .accept(offer.kinds)
                }
            }
        }
    }

    @Test func twoGreedyAddressesMakeRoomForAThird() async throws {
        let pair = try Self.openDoor()
        try await pair.serving(TransferTests.source(sizes: [1000])) { address, _ in
            let greedy = ["127.0.0.2", "127.0.0.3"].flatMap { Array(repeating: $0, count: 5) }
            try await Self.idling(address, from: greedy) { offers in
                #expect(offers == 7)
                expect(try await Self.receiveAsStranger(pair, from: address), equals: 1000)
            }
        }
    }

    enum Guest: CaseIterable, Sendable {
        case stranger, byPerson, byLink, trusted
    }

    @Test(arguments: Guest.allCases) func onlyAStrangersOfferExpiresSoon(guest: Guest) async throws {
        var pair = try Self.openDoor()
        let identity = try PeerIdentity.generate(for: .hikeshare)
        if guest == .trusted { pair.senderTrust = MemoryTrustStore([identity.id: "Raw"]) }
        let isEncrypted = guest == .byLink || guest == .trusted
        pair.sending.unattendedOfferTimeout = .milliseconds(100)
        pair.sending.offerTimeout = guest == .stranger ? .seconds(600) : .milliseconds(1200)
        pair.sending.silenceTimeout = .seconds(2)
        pair.sending.lingerTimeout = .milliseconds(100)
        let invite = Frame.invite(
            InvitationRequest(
                timeout: 300,
                token: guest == .byLink ? pair.shareToken : nil,
                isPeerPinned: guest == .trusted
            )
        )
        try await pair.serving(
            TransferTests.source(sizes: [1000]),
            invite: { _ in guest == .byPerson ? .acceptAndPin : .accept },
            { address, finished in
                try await RawPeer.connected(
                    to: address,
                    from: "127.0.0.2",
                    security: isEncrypted ? .encrypted(identity) : .plainText
                ) { peer in
                    try await peer.greet(
                        isEncrypted ? RawPeer.hello(identity.id, encryption: .required) : RawPeer.hello()
                    )
                    try await peer.send(invite)
                    guard try await peer.next(.manifest) != nil else { throw ScriptError("no manifest") }
                    let start = ContinuousClock.now
                    try? await peer.onlyStayAlive()
                    #expect(peerError(await finished.next()?.result)?.code == .timedOut)
                    if guest != .stranger { #expect(.now - start >= .seconds(3)) }
                }
            }
        )
    }

    @Test func aTransferThatRunsIsNotStoppedForAnother() async throws {
        var pair = try Self.openDoor()
        pair.sending.maximumTransfers = 2
        try await pair.serving(TransferTests.source(sizes: [1000])) { [pair] address, _ in
            try await RawPeer.connected(to: address, from: "127.0.0.2") { peer in
                try await peer.greet()
                // A stranger's offer that is answered, in the place that strangers have.
                try await peer.select(from: peer.invite())
                _ = try await pair.receive(from: address, into: MemorySink()) { offer in
                    let third = await outcome { try await Self.receiveByShareLink(pair, from: address) }
                    #expect(peerError(third)?.message.contains("is busy with others") == true)
                    return .accept(offer.kinds)
                }
                try await peer.send(.request(ChunkRequest(resource: 0, runs: [])))
                #expect(try await peer.next(.done) != nil)
            }
        }
    }
}
