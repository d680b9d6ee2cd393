import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// A deadline is for one step: it ends a peer that does not take the step, and nothing that comes later.
@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    /// How long a slow step takes: longer than the deadline that must not be for it.
    private static let pause: Duration = .seconds(11)
    /// The deadline; other tests keep the processors busy meanwhile.
    private static let deadline: Duration = .seconds(10)

    /// A change of the timers of a pair.
    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var encryption = EncryptionPreference.none
        var make: @Sendable (inout Pair) -> Void

        func pair() throws -> Pair {
            var pair = try Pair(encryption: encryption)
            make(&pair)
            for side: WritableKeyPath<Pair, ConnectionConfiguration> in [\.sending, \.receiving] {
                pair[keyPath: side].keepAliveInterval = .milliseconds(250)
                pair[keyPath: side].lingerTimeout = .milliseconds(100)
            }
            return pair
        }
    }

    @Test(arguments: [
        Change(testDescription: "manifest") { $0.sending.manifestTimeout = deadline },
        Change(testDescription: "pairing", encryption: .required) { $0.sending.pairingTimeout = deadline },
    ])
    func aPersonAtTheSenderMayThinkLongerThanTheMachines(change: Change) async throws {
        let outcome = try await change.pair().transfer(
            TransferTests.source(sizes: [1000]),
            into: MemorySink(),
            invite: { _ in
                try? await Task.sleep(for: Self.pause)
                return .accept
            }
        )
        #expect(try outcome.received.get().bytesTransferred == 1000)
    }

    @Test(arguments: [
        Change(testDescription: "manifest") { $0.receiving.manifestTimeout = deadline },
        Change(testDescription: "pairing", encryption: .required) { $0.receiving.pairingTimeout = deadline },
        Change(testDescription: "invitation") { pair in
            pair.receiving.invitationTimeout = .seconds(1)
            pair.receiving.silenceTimeout = deadline - .seconds(1)
        },
    ])
    func aPersonAtTheReceiverMayThinkLongerThanTheMachines(change: Change) async throws {
        let outcome = try await change.pair().transfer(TransferTests.source(sizes: [1000]), into: MemorySink()) {
            try await Task.sleep(for: Self.pause)
            return .accept($0.kinds)
        }
        #expect(try outcome.received.get().bytesTransferred == 1000)
    }

    /// The time for the answer ends with the answer, although the store takes its time.
    @Test func aStoreMayBeginATransferLongerThanAPersonMayThink() async throws {
        let pair = try Change(testDescription: "offer") { $0.receiving.offerTimeout = Self.deadline }.pair()
        let sink = MemorySink()
        sink.state.withLock { $0.beforeBegin = { Thread.sleep(forTimeInterval: Self.pause / .seconds(1)) } }
        let outcome = try await pair.transfer(TransferTests.source(sizes: [1000]), into: sink)
        #expect(try outcome.received.get().bytesTransferred == 1000)
    }

    /// The short time for offers that nobody let in is not for friends.
    @Test func aTrustedReceiverMayThinkLongerThanAStranger() async throws {
        var pair = try Change(testDescription: "offer", encryption: .required) { pair in
            pair.sending.unattendedOfferTimeout = .seconds(1)
            pair.sending.silenceTimeout = Self.deadline - .seconds(1)
        }.pair()
        pair.senderTrust = MemoryTrustStore([pair.receiverIdentity.id: "Receiver"])
        pair.receiverTrust = MemoryTrustStore([pair.senderIdentity.id: "Sender"])
        let outcome = try await pair.transfer(TransferTests.source(sizes: [1000]), into: MemorySink()) {
            try await Task.sleep(for: Self.pause)
            return .accept($0.kinds)
        }
        #expect(try outcome.received.get().bytesTransferred == 1000)
    }

    @Test(arguments: [
        Change(testDescription: "offer") { pair in
            pair.sending.offerTimeout = .seconds(1)
            pair.sending.silenceTimeout = deadline - .seconds(1)
        },
        Change(testDescription: "bytes") { $0.sending.stallTimeout = deadline },
    ])
    func aReceiverMayWorkLongerThanBytesMayStandStill(change: Change) async throws {
        try await change.pair().serving(TransferTests.source(sizes: [1000])) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                let manifest = try await peer.invite()
                try await peer.select(from: manifest)
                // It looks for what it has.
                try await peer.stayAlive(for: Self.pause)
                try await peer.send(.request(ChunkRequest(resource: 0, runs: [])))
                guard try await peer.next(.done) != nil else { throw ScriptError("no done") }
                let entry = manifest.entries[0]
                try await peer.send(.confirmation(Confirmation(resource: 0, digest: entry.digest)))
                // It commits.
                try await peer.stayAlive(for: Self.pause)
                let time = Date(timeIntervalSince1970: 0)
                try await peer.send(
                    .acknowledgement(Acknowledgement(id: manifest.id, time: time, imported: [:], keptLocal: [:]))
                )
                _ = try await #require(finished.next()).result.get()
            }
        }
    }

    @Test func aSenderMayWorkLongerThanBytesMayStandStill() async throws {
        let source = try TransferTests.source(sizes: [1000])
        let pair = try Change(testDescription: "bytes") { $0.receiving.stallTimeout = Self.deadline }.pair()
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            // It hashes.
            guard try await peer.next(.selection) != nil else { throw ScriptError("no selection") }
            try await peer.stayAlive(for: Self.pause)
            let digests = try source.chunkDigests(of: source.manifest.entries[0])
            try await peer.send(.digests(DigestListPart(resource: 0, digests: digests)))
            guard try await peer.next(.request) != nil else { throw ScriptError("no request") }
            await peer.sendData(0, offset: 0, source.bytes(.mbtiles) ?? [])
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: source.manifest.id)))
            await peer.waitForEnd()
        } connect: { address in
            let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
            #expect((try? result.get().bytesTransferred) == 1000, "\(result)")
        }
    }

    @Test func aReceiverThatDoesNotFinishPairingIsGivenUp() async throws {
        var pair = try Pair()
        pair.sending.pairingTimeout = .seconds(1)
        pair.sending.lingerTimeout = .milliseconds(100)
        let identity = pair.receiverIdentity
        try await pair.serving(TransferTests.source(sizes: [10])) { address, finished in
            try await RawPeer.connected(to: address, security: .encrypted(identity)) { peer in
                try await peer.greet(RawPeer.hello(identity.id, encryption: .required))
                try await peer.send(.invite(InvitationRequest(timeout: 300)))
                guard try await peer.next(.pairingCommitment) != nil else { throw ScriptError("no commitment") }
                try await peer.onlyStayAlive()
            }
            let error = peerError(await finished.next()?.result)
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("pairing") == true)
        }
    }

    @Test func aReceiverThatNeverAnswersTheOfferIsGivenUp() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.offerTimeout = .seconds(1)
        pair.sending.silenceTimeout = .seconds(10)
        pair.sending.lingerTimeout = .milliseconds(100)
        try await pair.serving(TransferTests.source(sizes: [10])) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                _ = try await peer.invite()
                try await peer.onlyStayAlive()
            }
            #expect(peerError(await finished.next()?.result)?.code == .timedOut)
        }
    }

    @Test func aSenderThatNeverAnswersTheInvitationIsGivenUp() async throws {
        var pair = try Pair(encryption: .none)
        pair.receiving.invitationTimeout = .seconds(1)
        pair.receiving.silenceTimeout = .seconds(10)
        pair.receiving.lingerTimeout = .milliseconds(100)
        try await RawPeer.listening { peer in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.onlyStayAlive()
        } connect: { [pair] address in
            let error = peerError(await outcome { try await pair.receive(from: address, into: MemorySink()) })
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("The person at the other machine did not answer") == true)
        }
    }
}

extension RawPeer {
    /// Sends signs of life and nothing else for a while.
    fileprivate func stayAlive(for duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        while channel.isActive, ContinuousClock.now < end {
            try await send(.ping(Ping(nonce: 0)))
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
