import Foundation
import NIOCore
import PeerCore
import Synchronization
import Testing

/// Peers that say nothing, too little or too much: nobody waits for them for ever.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SilentPeerTests {
    typealias Script = @Sendable (RawPeer) async throws -> Void

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var timer: any WritableKeyPath<ConnectionConfiguration, Duration> & Sendable
        var code: PeerError.Code = .timedOut
        var failure: String?
        var script: Script
    }

    /// A pair of whom one timer is short: it is the one that must end the transfer, however busy this machine is.
    static func pair(_ timer: any WritableKeyPath<ConnectionConfiguration, Duration> & Sendable) throws -> Pair {
        var pair = try Pair(encryption: .none)
        for side: WritableKeyPath<Pair, ConnectionConfiguration> in [\.sending, \.receiving] {
            pair[keyPath: side].lingerTimeout = .milliseconds(100)
            pair[keyPath: side].keepAliveInterval = .milliseconds(100)
            pair[keyPath: side][keyPath: timer] = .milliseconds(700)
        }
        return pair
    }

    static let atListener: [Case] = [
        Case(testDescription: "nothing at all", timer: \.securingTimeout) { await $0.waitForEnd() },
        Case(testDescription: "half a preface", timer: \.handshakeTimeout, failure: "timedOut") { peer in
            await peer.send(Preface.hikeshare.bytes.prefix(3))
        },
        Case(testDescription: "a preface", timer: \.handshakeTimeout, failure: "timedOut") {
            await $0.send(Preface.hikeshare.bytes)
        },
        Case(testDescription: "signs of life instead of an invitation", timer: \.manifestTimeout, failure: "timedOut") {
            peer in
            try await peer.greet()
            for nonce in UInt32(0)..<2000 where peer.channel.isActive { try await peer.send(.ping(Ping(nonce: nonce))) }
        },
        Case(testDescription: "a hello, byte by byte", timer: \.handshakeTimeout, failure: "timedOut") { peer in
            for byte in Preface.hikeshare.bytes + [1, 0, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0x20, count: 256) {
                guard peer.channel.isActive else { break }
                await peer.send([byte])
                try await Task.sleep(for: .milliseconds(5))
            }
        },
        Case(testDescription: "a handshake without an invitation", timer: \.manifestTimeout, failure: "timedOut") {
            try await $0.greet()
        },
        Case(testDescription: "an invitation and then silence", timer: \.silenceTimeout, code: .connectionLost) {
            peer in
            try await peer.greet()
            _ = try await peer.invite()
        },
        Case(testDescription: "selection and then silence", timer: \.silenceTimeout, code: .connectionLost) { peer in
            try await peer.greet()
            try await peer.select(from: peer.invite())
        },
        Case(testDescription: "selection and then signs of life", timer: \.workTimeout, failure: "timedOut") { peer in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.onlyStayAlive()
        },
        Case(testDescription: "a request, byte by byte", timer: \.stallTimeout, failure: "timedOut") { peer in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.dribble(.request(ChunkRequest(resource: 0, runs: [0..<1600])))
        },
        Case(testDescription: "selection, byte by byte", timer: \.stallTimeout, failure: "timedOut") { peer in
            try await peer.greet()
            let manifest = try await peer.invite()
            try await peer.dribble(
                .selection(ResourceSelection(kinds: manifest.entries.map(\.kind), unknown: [.photos, .routing]))
            )
        },
        Case(
            testDescription: "everything but an acknowledgement",
            timer: \.workTimeout,
            code: .outcomeUnknown,
            failure: "timedOut"
        ) { peer in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.request(ChunkRequest(resource: 0, runs: [])))
            guard try await peer.next(.done) != nil else { throw ScriptError("no done") }
            try await peer.onlyStayAlive()
        },
    ]

    @Test(arguments: atListener) func theSenderGivesUp(silent: Case) async throws {
        let pair = try Self.pair(silent.timer)
        let source = try TransferTests.source(sizes: [1000])
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await silent.script(peer)
                #expect(await peer.lastFailure()?.code == silent.failure)
            }
            #expect(peerError(await finished.next()?.result)?.code == silent.code)
        }
    }

    /// A receiver may have to read all of a large map, on a slow disk.
    @Test func theSenderWaitsLongerForTheReceiverOfALargeMap() async throws {
        let pair = try Self.pair(\.workTimeout)
        let source = try TransferTests.source(sizes: [8_000_000])
        let clock = ContinuousClock()
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                try await peer.select(from: peer.invite())
                let start = clock.now
                try await peer.onlyStayAlive()
                #expect(await peer.lastFailure()?.code == "timedOut")
                // One second for each 4 MB; the sender looked at its clock a little before.
                #expect(start.duration(to: clock.now) > .milliseconds(1900))
            }
            #expect(peerError(await finished.next()?.result)?.code == .timedOut)
        }
    }

    static let atConnector: [Case] = [
        Case(testDescription: "nothing at all", timer: \.securingTimeout) { _ in },
        Case(testDescription: "a preface", timer: \.handshakeTimeout, failure: "timedOut") {
            await $0.send(Preface.hikeshare.bytes)
        },
        Case(testDescription: "a handshake and then silence", timer: \.silenceTimeout, code: .connectionLost) {
            try await $0.greet()
        },
        Case(testDescription: "an acceptance without a manifest", timer: \.manifestTimeout, failure: "timedOut") {
            peer in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.send(.accept)
        },
        Case(testDescription: "an offer and then silence", timer: \.silenceTimeout, code: .connectionLost) { peer in
            try await peer.greet()
            try await peer.offer(TransferTests.source(sizes: [1000]).manifest)
        },
        Case(testDescription: "digests and then silence", timer: \.silenceTimeout, code: .connectionLost) { peer in
            try await peer.offerAndList(TransferTests.source(sizes: [1000]))
        },
        Case(testDescription: "an offer and then signs of life", timer: \.workTimeout, failure: "timedOut") { peer in
            try await peer.greet()
            try await peer.offer(TransferTests.source(sizes: [1000]).manifest)
            try await peer.onlyStayAlive()
        },
        Case(testDescription: "digests and then signs of life", timer: \.stallTimeout, failure: "timedOut") { peer in
            try await peer.offerAndList(TransferTests.source(sizes: [1000]))
            try await peer.onlyStayAlive()
        },
        Case(testDescription: "data, byte by byte", timer: \.stallTimeout, failure: "timedOut") { peer in
            try await peer.offerAndList(TransferTests.source(sizes: [1_000_000]))
            for offset in 0..<16_000 where peer.channel.isActive {
                await peer.sendData(0, offset: UInt64(offset), [0])
                try await Task.sleep(for: .milliseconds(10))
            }
        },
        Case(testDescription: "a manifest, byte by byte", timer: \.stallTimeout, failure: "timedOut") { peer in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.send(.accept)
            try await peer.dribble(.manifest(TransferTests.source(sizes: [1000]).manifest.body))
        },
        Case(testDescription: "digests, byte by byte", timer: \.stallTimeout, failure: "timedOut") { peer in
            let source = try TransferTests.source(sizes: [40_000_000])
            try await peer.greet()
            try await peer.offer(source.manifest)
            guard try await peer.next(.selection) != nil else { throw ScriptError("no selection") }
            let digests = try source.chunkDigests(of: source.manifest.entries[0])
            try await peer.dribble(.digests(DigestListPart(resource: 0, digests: Array(digests.prefix(1024)))))
        },
        Case(
            testDescription: "a part of the digests and then signs of life",
            timer: \.stallTimeout,
            failure: "timedOut"
        ) { peer in
            let source = try TransferTests.source(sizes: [40_000_000])
            try await peer.greet()
            try await peer.offer(source.manifest)
            guard try await peer.next(.selection) != nil else { throw ScriptError("no selection") }
            let digests = try source.chunkDigests(of: source.manifest.entries[0])
            try await peer.send(.digests(DigestListPart(resource: 0, digests: Array(digests.prefix(1024)))))
            try await peer.onlyStayAlive()
        },
        Case(testDescription: "half of the data and then signs of life", timer: \.stallTimeout, failure: "timedOut") {
            peer in
            try await peer.offerAndList(TransferTests.source(sizes: [1000]))
            await peer.sendData(0, offset: 0, [UInt8](repeating: 0, count: 500))
            try await peer.onlyStayAlive()
        },
    ]

    @Test(arguments: atConnector) func theReceiverGivesUp(silent: Case) async throws {
        let pair = try Self.pair(silent.timer)
        let sink = MemorySink()
        try await RawPeer.listening { peer in
            try await silent.script(peer)
            #expect(await peer.lastFailure()?.code == silent.failure)
        } connect: { address in
            let result = await outcome { try await pair.receive(from: address, into: sink) }
            #expect(peerError(result)?.code == silent.code)
        }
        #expect(sink.snapshot.abandoned == sink.snapshot.begun)
        #expect(!sink.snapshot.isCommitted)
    }

    @Test func aSenderThatCommitsItselfAndRevealsNothingIsGivenUp() async throws {
        var pair = try Pair()
        pair.receiving.pairingTimeout = .milliseconds(700)
        pair.receiving.lingerTimeout = .milliseconds(100)
        let (identity, sink) = (pair.senderIdentity, MemorySink())
        let (updates, continuation) = TransferUpdates.makeStream()
        try await RawPeer.listening(security: .encrypted(identity)) { peer in
            try await peer.greet(RawPeer.hello(identity.id, encryption: .required))
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.send(.pairingCommitment(PairingCommitment(ContentDigest(hashing: [1]))))
            guard try await peer.next(.pairingNonce) != nil else { throw ScriptError("no nonce") }
            try await peer.onlyStayAlive()
        } connect: { [pair] address in
            let result = await outcome { try await pair.receive(from: address, into: sink, updates: continuation) }
            #expect(peerError(result)?.code == .timedOut)
        }
        continuation.finish()
        for await update in updates {
            if case .transfer(.pairing) = update.event { Issue.record("digits were shown") }
        }
        #expect(sink.snapshot.examined == 0)
    }

    @Test func aPeersWishToWaitIsCapped() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.limits.maximumInvitationTimeout = 1
        pair.sending.lingerTimeout = .milliseconds(100)
        let source = try TransferTests.source(sizes: [1000])
        try await pair.serving(
            source,
            invite: { _ in
                while (try? await Task.sleep(for: .seconds(3600))) != nil {}
                return .accept
            },
            { address, _ in
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet()
                    try await peer.send(.invite(InvitationRequest(timeout: 3600)))
                    guard case .decline(let refusal) = try await peer.next(.decline) else {
                        throw ScriptError("no refusal")
                    }
                    #expect(refusal.code == .noAnswer)
                }
            }
        )
    }

    @Test(arguments: [EncryptionPreference.none, .required])
    func nothingIsSaidAfterTheLastWord(encryption: EncryptionPreference) async throws {
        var pair = try Pair(encryption: encryption)
        pair.sending.keepAliveInterval = .milliseconds(20)
        pair.sending.lingerTimeout = .milliseconds(400)
        let source = try TransferTests.source(sizes: [1000])
        try await pair.serving(source) { [pair] address, _ in
            let security: RawPeer.Security = encryption == .none ? .plainText : .encrypted(pair.receiverIdentity)
            try await RawPeer.connected(to: address, security: security) { peer in
                try await peer.greet(RawPeer.hello(pair.receiver.id, encryption: encryption))
                // Signs of life come until then.
                guard case .ping = try await peer.nextFrame(withSignsOfLife: true) else {
                    throw ScriptError("no sign of life")
                }
                try await peer.send(.allDispatched(AllDispatched(resource: 0)), .ping(Ping(nonce: 1)))
                while let frame = try await peer.nextFrame(withSignsOfLife: true) {
                    if case .failure = frame { break }
                }
                let more = try await peer.nextFrame(withSignsOfLife: true)
                #expect(more == nil)
            }
        }
    }

    @Test func aListenerThatNeverEncryptsIsGivenUp() async throws {
        var pair = try Self.pair(\.securingTimeout)
        pair.receiving.encryption = .required
        try await RawPeer.listening {
            await $0.waitForEnd()
        } connect: { [pair] address in
            let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
            let error = peerError(result)
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("encryption") == true)
        }
    }
}
