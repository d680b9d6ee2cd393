import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Somebody between sender and receiver, with a key of its own, on real sockets.
@Suite(.timeLimit(.minutes(10))) struct ManInTheMiddleTests {
    enum Method: CaseIterable, Sendable {
        /// Passes every frame on as it is.
        case relays
        /// Pairs with each side by itself.
        case pairsWithBoth
        /// Commits itself to nothing: reveals another nonce than the one it was committed to.
        case changesItsMind
    }

    /// Stands in between until the sender's answer, which it passes on.
    private static func stand(
        between receiver: RawPeer,
        and sender: RawPeer,
        as middle: PeerID,
        _ pair: Pair,
        _ method: Method
    ) async throws {
        try await sender.greet(hello(middle, "Receiver"))
        try await receiver.greet(hello(middle, "Sender"))
        guard let invite = try await receiver.next(.invite) else { throw ScriptError("no invitation") }
        try await sender.send(invite)
        guard case .pairingCommitment(let theirs) = try await sender.next(.pairingCommitment) else {
            throw ScriptError("no commitment")
        }
        let own = nonce(1)
        try await receiver.send(.pairingCommitment(method == .relays ? theirs : PairingCommitment(own.commitment)))
        guard case .pairingNonce(let nonce) = try await receiver.next(.pairingNonce) else {
            throw ScriptError("no nonce")
        }
        try await sender.send(.pairingNonce(method == .relays ? nonce : PairingDisclosure(own)))
        guard case .pairingReveal(let reveal) = try await sender.next(.pairingReveal) else {
            throw ScriptError("no reveal")
        }
        switch method {
        case .relays: try await receiver.send(.pairingReveal(reveal))
        case .pairsWithBoth: try await receiver.send(.pairingReveal(PairingDisclosure(own)))
        case .changesItsMind: try await receiver.send(.pairingReveal(PairingDisclosure(Self.nonce(2))))
        }
        while let frame = try await sender.nextFrame() { try await receiver.send(frame) }
    }

    private static func hello(_ id: PeerID, _ name: String) -> Hello {
        Hello(
            application: "hikeshare",
            peerID: id,
            displayName: name,
            platform: "Test",
            software: "raw 1",
            role: .listener,
            encryption: .required
        )
    }

    private static func nonce(_ seed: UInt64) -> PairingNonce {
        var generator = SeededGenerator(seed: seed)
        return PairingNonce(using: &generator)
    }

    @Test(arguments: Method.allCases) func theDigitsDifferAndNothingIsShown(method: Method) async throws {
        let known = try PairingTests.Known()
        let pair = known.pair
        let middle = try PeerIdentity.generate(for: .hikeshare)
        let (screen, show) = TransferUpdates.makeStream()
        let sink = MemorySink()
        let digitsAtSender = Locked<PairingDigits?>(nil)
        let digitsAtReceiver = Locked<PairingDigits?>(nil)
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { invitation in
                digitsAtSender.set(invitation.pairing)
                digitsAtReceiver.set(await People.digits(in: screen))
                return digitsAtSender.value == digitsAtReceiver.value
                    ? .acceptAndPin : .decline(Refusal(.declined, "the digits differ."))
            },
            { address, finished in
                try await RawPeer.listening(security: .encrypted(middle)) { receiver in
                    try await RawPeer.connected(to: address, security: .encrypted(middle)) { sender in
                        try await Self.stand(between: receiver, and: sender, as: middle.id, pair, method)
                    }
                } connect: { proxy in
                    let result = await outcome {
                        try await pair.receive(from: proxy, into: sink, updates: show, decide: People.confirming)
                    }
                    show.finish()
                    let code = peerError(result)?.code
                    #expect(code == (method == .changesItsMind ? .notTrusted : .declined))
                }
                #expect(peerError(await finished.next()?.result) != nil)
            }
        )
        #expect(digitsAtSender.value != nil)
        #expect((digitsAtReceiver.value == nil) == (method == .changesItsMind))
        #expect(digitsAtSender.value != digitsAtReceiver.value)
        #expect(sink.snapshot.examined == 0)
        #expect(known.areEmpty)
    }

    @Test func aLinkNamesTheKeySoNothingReachesTheMiddle() async throws {
        var pair = try Pair()
        pair.shareToken = .random()
        let middle = try PeerIdentity.generate(for: .hikeshare)
        let seen = Locked<[FrameType]>([])
        try await RawPeer.listening(security: .encrypted(middle)) { receiver in
            while let frame = try await receiver.nextFrame() { seen.set(seen.value + [frame.type]) }
        } connect: { [pair] proxy in
            let result = await outcome {
                try await pair.receive(
                    from: proxy,
                    expecting: pair.senderIdentity.id,
                    token: pair.shareToken,
                    into: MemorySink()
                )
            }
            #expect(peerError(result)?.code == .notTrusted)
        }
        #expect(seen.value.isEmpty)
    }

    @Test func aFriendCannotBeImitated() async throws {
        let known = try PairingTests.Known()
        await known.atReceiver.pin(known.pair.senderIdentity.id, name: "Sender")
        let middle = try PeerIdentity.generate(for: .hikeshare)
        try await RawPeer.listening(security: .encrypted(middle)) { receiver in
            try? await receiver.greet(Self.hello(middle.id, "Sender"))
            await receiver.waitForEnd()
        } connect: { proxy in
            let result = await outcome { try await known.pair.receive(from: proxy, into: MemorySink()) }
            #expect(peerError(result)?.code == .notTrusted)
        }
    }

    @Test(arguments: [true, false])
    func aStrippedNegotiationIsNoticed(claimsNone: Bool) async throws {
        var pair = try Pair()
        pair.receiving.encryption = .optional
        pair.sending.encryption = .optional
        let sink = MemorySink()
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in .accept },
            { [pair] address, _ in
                try await StrippingProxy.with(to: address, claimsNone: claimsNone) { proxy in
                    let result = await outcome { try await pair.receive(from: proxy, into: sink) }
                    if claimsNone {
                        // Who rewrites plain hellos cannot be told from a peer that does not encrypt: `optional` means that.
                        let plain = try result.get()
                        #expect(plain.peer?.security == .plainText)
                    } else {
                        #expect(peerError(result)?.code == .encryptionMismatch)
                        #expect(sink.snapshot.examined == 0)
                    }
                }
            }
        )
    }

    @Test func aStrippedNegotiationNeverReachesAFriend() async throws {
        let known = try PairingTests.Known()
        var pair = known.pair
        pair.receiving.encryption = .optional
        pair.sending.encryption = .optional
        await known.atReceiver.pin(pair.senderIdentity.id, name: "Sender")
        let sink = MemorySink()
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in .accept },
            { [pair] address, _ in
                try await StrippingProxy.with(to: address, claimsNone: true) { proxy in
                    let result = await outcome { try await pair.receive(from: proxy, into: sink) }
                    #expect(peerError(result)?.code == .encryptionMismatch)
                }
            }
        )
        #expect(sink.snapshot.examined == 0)
    }
}
