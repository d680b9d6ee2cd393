import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// What strangers may ask of a person, and what the person learns of it.
@Suite(.timeLimit(.minutes(10))) struct StrangerTests {
    /// Digits are shown for each pairing, and a person is asked: one address does not get more of that with many keys.
    @Test func oneAddressPairsOnlySoOftenAtATime() async throws {
        var pair = try Pair()
        pair.sending.maximumInvitationsPerAddress = 1
        let (one, other) = (try PeerIdentity.generate(for: .hikeshare), try PeerIdentity.generate(for: .hikeshare))
        try await pair.serving(TransferTests.source(sizes: [10])) { address, _ in
            try await RawPeer.connected(to: address, security: .encrypted(one)) { first in
                try await first.greet(RawPeer.hello(one.id, encryption: .required))
                try await first.send(.invite(InvitationRequest(timeout: 300)))
                guard try await first.next(.pairingCommitment) != nil else { throw ScriptError("no commitment") }
                try await RawPeer.connected(to: address, security: .encrypted(other)) { second in
                    try await second.greet(RawPeer.hello(other.id, encryption: .required))
                    try await second.send(.invite(InvitationRequest(timeout: 300)))
                    guard case .decline(let refusal) = try await second.nextFrame() else {
                        throw ScriptError("no refusal")
                    }
                    #expect(refusal.code == .busy)
                }
            }
        }
    }

    /// Who may not pair yet does not end the invitation of somebody who pairs.
    @Test func whoMustWaitToPairTakesNobodysPlace() async throws {
        var pair = try Pair()
        pair.sending.maximumInvitations = 1
        pair.sending.guesses.pairingBurst = 1
        pair.sending.guesses.pairingInterval = .seconds(600)
        let (one, other) = (try PeerIdentity.generate(for: .hikeshare), try PeerIdentity.generate(for: .hikeshare))
        try await pair.serving(TransferTests.source(sizes: [10])) { address, _ in
            try await RawPeer.connected(to: address, from: "127.0.0.2", security: .encrypted(one)) { first in
                try await first.greet(RawPeer.hello(one.id, encryption: .required))
                try await first.send(.invite(InvitationRequest(timeout: 300)))
                guard try await first.next(.pairingCommitment) != nil else { throw ScriptError("no commitment") }
                try await RawPeer.connected(to: address, security: .encrypted(other)) { second in
                    try await second.greet(RawPeer.hello(other.id, encryption: .required))
                    try await second.send(.invite(InvitationRequest(timeout: 300)))
                    guard case .decline(let refusal) = try await second.nextFrame() else {
                        throw ScriptError("no refusal")
                    }
                    #expect(refusal.code == .locked)
                }
                var random = SystemRandomNumberGenerator()
                try await first.send(.pairingNonce(PairingDisclosure(PairingNonce(using: &random))))
                #expect(try await first.next(.pairingReveal) != nil)
            }
        }
    }

    /// More of them than of connections that nobody was asked about.
    @Test func everyAnswerOfAPersonIsReported() async throws {
        let count = 15
        let pair = try Pair(encryption: .none)
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in .decline(Refusal(.declined, "no")) },
            { address, finished in
                for _ in 0..<count {
                    let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
                    #expect(peerError(result)?.code == .declined)
                    // In a transfer that is not reported this waits until the time limit.
                    #expect(peerError(await finished.next()?.result)?.code == .declined)
                }
            }
        )
    }

    /// Who has answered the offer has compared the digits, or never will.
    @Test func aConfirmationAfterTheAnswerIsRefusedAndNobodyIsPinned() async throws {
        var pair = try Pair()
        let trust = MemoryTrustStore([:])
        pair.senderTrust = trust
        let identity = pair.receiverIdentity
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in .acceptAndPin },
            { address, finished in
                try await RawPeer.connected(to: address, security: .encrypted(identity)) { peer in
                    try await peer.greet(RawPeer.hello(identity.id, encryption: .required))
                    try await peer.send(.invite(InvitationRequest(timeout: 300)))
                    guard try await peer.next(.pairingCommitment) != nil else { throw ScriptError("no commitment") }
                    var random = SystemRandomNumberGenerator()
                    try await peer.send(.pairingNonce(PairingDisclosure(PairingNonce(using: &random))))
                    guard case .manifest(let body) = try await peer.next(.manifest) else {
                        throw ScriptError("no manifest")
                    }
                    try await peer.select(from: Manifest(parsing: body))
                    try await peer.send(.pairingConfirmation)
                    #expect(await peer.lastFailure()?.code == "unexpectedFrame")
                }
                #expect(peerError(await finished.next()?.result)?.code == .protocolViolation)
            }
        )
        #expect(trust.peers.isEmpty)
    }

    @Test func aSenderThatSkipsThePairingIsRefusedAndNobodyIsAsked() async throws {
        let pair = try Pair()
        let (identity, sink) = (pair.senderIdentity, MemorySink())
        let source = try TransferTests.source(sizes: [10])
        try await RawPeer.listening(security: .encrypted(identity)) { peer in
            try await peer.greet(RawPeer.hello(identity.id, encryption: .required))
            try await peer.offer(source.manifest)
            #expect(await peer.lastFailure()?.code == "unexpectedFrame")
        } connect: { address in
            let result = await outcome {
                try await pair.receive(from: address, into: sink) { offer in
                    Issue.record("a person is asked")
                    return .accept(offer.kinds)
                }
            }
            #expect(peerError(result)?.code == .protocolViolation)
        }
        #expect(sink.snapshot.begun == 0)
    }

    /// The link stands still, so that nothing but the error itself can end the transfer.
    @Test func aFullDiskIsSaidThoughNothingMoreComes() async throws {
        let pair = try Pair(encryption: .none)
        let error = MemoryStoreError(reportToPeer: "The disk is full.")
        let (source, sink) = (try TransferTests.source(sizes: [1_000_000]), MemorySink())
        sink.state.withLock { $0.failsWrite = error }
        try await RawPeer.listening { peer in
            try await peer.offerAndList(source)
            await peer.sendData(0, offset: 0, (source.bytes(.mbtiles) ?? []).prefix(65_536))
            #expect(await peer.lastFailure()?.message == "The disk is full.")
        } connect: { address in
            let result = await outcome { try await pair.receive(from: address, into: sink) }
            #expect(peerError(result)?.cause as? MemoryStoreError == error)
        }
    }

    /// A link comes before a stranger that has not answered its offer, but not before one whose transfer runs.
    @Test func aTransferThatRunsIsNotEndedForALink() async throws {
        var pair = try Pair()
        pair.sending.maximumTransfers = 1
        pair.shareToken = .random()
        var other = pair
        other.receiverIdentity = try .generate(for: .hikeshare)
        let sink = MemorySink()
        let (committing, commit) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        sink.state.withLock { state in
            state.beforeCommit = {
                commit.yield()
                release.wait()
            }
        }
        try await pair.serving(TransferTests.source(sizes: [1000])) { [pair, other] address, _ in
            async let first = pair.receive(from: address, into: sink)
            for await _ in committing { break }
            let second = await outcome {
                try await other.receive(
                    from: address,
                    expecting: pair.senderIdentity.id,
                    token: pair.shareToken,
                    into: MemorySink()
                )
            }
            release.signal()
            #expect(peerError(second)?.message.contains("busy with others") == true)
            let received = try await first
            #expect(received.bytesTransferred == 1000)
        }
    }

    @Test func anOfferThatIsNotAnsweredMakesRoomForALink() async throws {
        var pair = try Pair()
        pair.sending.maximumTransfers = 1
        pair.shareToken = .random()
        var other = pair
        other.receiverIdentity = try .generate(for: .hikeshare)
        let (offered, offer) = AsyncStream.makeStream(of: Void.self)
        try await pair.serving(TransferTests.source(sizes: [1000])) { [pair, other] address, _ in
            async let first = outcome {
                try await pair.receive(from: address, into: MemorySink()) { _ in
                    offer.yield()
                    await untilCancelled()
                    return .accept([])
                }
            }
            for await _ in offered { break }
            let second = try await other.receive(
                from: address,
                expecting: pair.senderIdentity.id,
                token: pair.shareToken,
                into: MemorySink()
            )
            #expect(second.bytesTransferred == 1000)
            let error = peerError(await first)
            #expect(
                error?.message.contains("Another receiver took the place") == true,
                "\(String(describing: error))"
            )
        }
    }

    /// A receiver that waits for its part has not kept anybody waiting.
    @Test func anOfferThatIsStillBeingMadeMakesRoomForALink() async throws {
        var pair = try Pair()
        pair.sending.maximumTransfers = 1
        pair.shareToken = .random()
        var other = pair
        other.receiverIdentity = try .generate(for: .hikeshare)
        let (begun, making) = AsyncStream.makeStream(of: Void.self)
        let source = try TransferTests.source(sizes: [1000])
        let offering: @Sendable (Invitation) async throws -> any ResourceSource = { _ in
            making.yield()
            await untilCancelled()
            return source
        }
        try await pair.serving(source, offering: offering) { [pair, other] address, _ in
            async let first = outcome {
                try await TransferReceiver(local: pair.receiver, configuration: pair.receiving)
                    .receive(from: [address], into: MemorySink(), context: Data("a part".utf8)) { .accept($0.kinds) }
            }
            for await _ in begun { break }
            let second = try await other.receive(
                from: address,
                expecting: pair.senderIdentity.id,
                token: pair.shareToken,
                into: MemorySink()
            )
            #expect(second.bytesTransferred == 1000)
            let error = peerError(await first)
            #expect(error?.message.contains("whose offer was still being made") == true, "\(String(describing: error))")
        }
    }
}
