import PeerCore
import PeerTestSupport
import Testing

/// Two sides that do not know one another, and people who compare digits.
@Suite(.timeLimit(.minutes(10))) struct PairingTests {
    struct Known: Sendable {
        var pair: Pair
        let atSender: MemoryTrustStore
        let atReceiver: MemoryTrustStore

        init(atSender: [PeerID: String] = [:], atReceiver: [PeerID: String] = [:]) throws {
            self.atSender = MemoryTrustStore(atSender)
            self.atReceiver = MemoryTrustStore(atReceiver)
            pair = try Pair()
            pair.senderTrust = self.atSender
            pair.receiverTrust = self.atReceiver
        }

        var areEmpty: Bool { atSender.peers.isEmpty && atReceiver.peers.isEmpty }
    }

    @Test func whenBothConfirmBothPinAndNeverAskAgain() async throws {
        let known = try Known()
        let (screen, show) = TransferUpdates.makeStream()
        let offered = Locked<TransferOffer?>(nil)
        let first = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            updates: show,
            decide: { offer in
                offered.set(offer)
                return .acceptAndPin(offer.kinds)
            },
            invite: People.comparing(with: screen)
        )
        #expect(try first.received.get().bytesTransferred == 10)
        _ = try first.sent?.result.get()
        #expect(offered.value?.pairing != nil)
        #expect(offered.value?.isPairingConfirmedByPeer == true)
        #expect(known.atSender.peers == [known.pair.receiverIdentity.id: "Receiver"])
        #expect(known.atReceiver.peers == [known.pair.senderIdentity.id: "Sender"])

        let second = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            decide: { offer in
                #expect(offer.pairing == nil)
                #expect(offer.peer.trust == .trusted(name: "Sender"))
                return .accept(offer.kinds)
            },
            invite: { invitation in
                #expect(invitation.pairing == nil)
                #expect(invitation.peer.trust == .trusted(name: "Receiver"))
                return .accept
            }
        )
        #expect(try second.received.get().bytesTransferred == 10)
    }

    enum Confirmation: CaseIterable, Sendable {
        case nobody, sender, receiver
    }

    @Test(arguments: Confirmation.allCases) func whenNotBothConfirmNobodyPins(who: Confirmation) async throws {
        let known = try Known()
        let outcome = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            decide: { offer in
                #expect(offer.isPairingConfirmedByPeer == (who == .sender))
                return who == .receiver ? .acceptAndPin(offer.kinds) : .accept(offer.kinds)
            },
            invite: { _ in who == .sender ? .acceptAndPin : .accept }
        )
        #expect(try outcome.received.get().bytesTransferred == 10)
        _ = try outcome.sent?.result.get()
        #expect(known.areEmpty)
    }

    @Test func whenTheSendersPersonSaysNoTheReceiverSeesNoOffer() async throws {
        let known = try Known()
        let sink = MemorySink()
        let outcome = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: sink,
            decide: People.confirming,
            invite: { invitation in
                #expect(invitation.pairing != nil)
                return .decline(Refusal(.declined, "other digits"))
            }
        )
        #expect(peerError(outcome.received)?.code == .declined)
        #expect(peerError(outcome.sent?.result)?.code == .declined)
        #expect(sink.snapshot.examined == 0)
        #expect(known.areEmpty)
    }

    @Test func whenTheReceiversPersonSaysNoNothingIsSent() async throws {
        let known = try Known()
        let sink = MemorySink()
        let outcome = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: sink,
            decide: { _ in .decline(Refusal(.declined, "other digits")) },
            invite: { _ in .acceptAndPin }
        )
        #expect(peerError(outcome.received)?.code == .declined)
        #expect(peerError(outcome.sent?.result)?.code == .declined)
        #expect(sink.snapshot.begun == 0)
        #expect(known.areEmpty)
    }

    @Test(arguments: [true, false]) func whenOneSideHasForgottenTheOtherBothPairAgain(sender: Bool) async throws {
        let fresh = try Known()
        let pair = fresh.pair
        var known = try Known(
            atSender: sender ? [:] : [pair.receiverIdentity.id: "Ben"],
            atReceiver: sender ? [pair.senderIdentity.id: "Ana"] : [:]
        )
        known.pair.senderIdentity = pair.senderIdentity
        known.pair.receiverIdentity = pair.receiverIdentity
        let (screen, show) = TransferUpdates.makeStream()
        let outcome = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            updates: show,
            decide: People.confirming,
            invite: People.comparing(with: screen)
        )
        #expect(try outcome.received.get().bytesTransferred == 10)
        #expect(known.atSender.peers == [pair.receiverIdentity.id: sender ? "Receiver" : "Ben"])
        #expect(known.atReceiver.peers == [pair.senderIdentity.id: sender ? "Ana" : "Sender"])
    }

    @Test(arguments: [true, false]) func aNewKeyUnderATrustedNameIsRefusedAndNobodyIsAsked(sender: Bool) async throws {
        let old = try PeerIdentity.generate(for: .hikeshare)
        let known = try Known(
            atSender: sender ? [old.id: "Receiver"] : [:],
            atReceiver: sender ? [:] : [old.id: "Sender"]
        )
        let sink = MemorySink()
        let outcome = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: sink,
            decide: People.confirming,
            invite: { _ in nobodyIsAsked() }
        )
        let (here, there) = (peerError(outcome.received), peerError(outcome.sent?.result))
        #expect(here?.code == .notTrusted)
        #expect(there?.code == .notTrusted)
        let loud = sender ? there : here
        #expect(loud?.message.contains(sender ? "Receiver" : "Sender") == true)
        #expect(loud?.message.contains("a different key") == true)
        #expect(sink.snapshot.examined == 0)
    }

    @Test func inPlainTextThereAreNoDigitsAndNobodyIsPinned() async throws {
        var known = try Known()
        known.pair.sending.encryption = .none
        known.pair.receiving.encryption = .none
        let outcome = try await known.pair.transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            decide: { offer in
                #expect(offer.pairing == nil)
                return .acceptAndPin(offer.kinds)
            },
            invite: { invitation in
                #expect(invitation.pairing == nil)
                return .acceptAndPin
            }
        )
        #expect(try outcome.received.get().bytesTransferred == 10)
        #expect(known.areEmpty)
    }

    /// A store that cannot remember anybody.
    private struct FullStore: TrustStore {
        func trust(of id: PeerID, callingItself name: String) async -> PeerTrust { .unknown }
        func pin(_ id: PeerID, name: String) async throws { throw MemoryStoreError(reportToPeer: "The disk is full.") }
    }

    @Test(arguments: [true, false]) func aStoreThatCannotPinEndsTheTransfer(sender: Bool) async throws {
        var pair = try Pair()
        if sender { pair.senderTrust = FullStore() } else { pair.receiverTrust = FullStore() }
        let outcome = try await pair.transfer(
            TransferTests.source(sizes: [1_000_000]),
            into: MemorySink(),
            decide: People.confirming,
            invite: { _ in .acceptAndPin }
        )
        let error = MemoryStoreError(reportToPeer: "The disk is full.")
        if sender {
            #expect(throws: error) { try outcome.sent?.result.get() }
            #expect(peerError(outcome.received)?.message.contains("The disk is full.") == true)
        } else {
            #expect(peerError(outcome.received)?.cause as? MemoryStoreError == error)
            #expect(peerError(outcome.sent?.result)?.message.contains("The disk is full.") == true)
        }
    }

    @Test func threeFailuresLockPairingAndSaySoButLetFriendsAndLinksIn() async throws {
        var known = try Known()
        known.pair.shareToken = .random()
        let pair = known.pair
        // What failed counts at both sides, and here the receiver's must not hide the sender's.
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { invitation in
                switch invitation.peer.trust {
                case .unknown where invitation.peer.isAdmittedByShareLink: .accept
                case .unknown: .decline(Refusal(.declined, "other digits"))
                case .trusted, .known, .impostor: .accept
                }
            },
            { address, _ in
                for _ in 0..<3 {
                    let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
                    #expect(peerError(result)?.message.contains("other digits") == true)
                }
                let locked = await outcome { try await pair.receive(from: address, into: MemorySink()) }
                #expect(peerError(locked)?.code == .declined)
                #expect(peerError(locked)?.message.contains("Too many failed pairings") == true)

                let byLink = try await pair.receive(
                    from: address,
                    expecting: pair.senderIdentity.id,
                    token: pair.shareToken,
                    into: MemorySink()
                )
                #expect(byLink.bytesTransferred == 10)

                await known.atSender.pin(pair.receiverIdentity.id, name: "Receiver")
                await known.atReceiver.pin(pair.senderIdentity.id, name: "Sender")
                let honest = try await pair.receive(from: address, into: MemorySink())
                #expect(honest.bytesTransferred == 10)
            }
        )
    }

    @Test func pairingsBeginAtAPaceThatAllShare() async throws {
        var pair = try Pair()
        pair.sending.guesses.pairingBurst = 3
        pair.sending.guesses.pairingInterval = .seconds(3600)
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in .accept },
            { [pair] address, _ in
                for _ in 1...2 { _ = try await pair.receive(from: address, into: MemorySink()) }
                let third = await outcome { try await pair.receive(from: address, into: MemorySink()) }
                #expect(peerError(third)?.message.contains("Too many machines") == true)
            }
        )
    }

    @Test func aReceiverLocksItselfToo() async throws {
        let pair = try Pair()
        let receiver = TransferReceiver(local: pair.receiver, configuration: pair.receiving)
        var sending = pair
        sending.sending.guesses.maximumPairingFailures = 100
        try await sending.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in .decline(Refusal(.declined, "other digits")) },
            { address, _ in
                for attempt in 1...4 {
                    let result = await outcome {
                        try await receiver.receive(from: [address], into: MemorySink(), decide: People.confirming)
                    }
                    let isLocked = peerError(result)?.message.contains("oo many failed pairings") == true
                    #expect(isLocked == (attempt == 4))
                }
            }
        )
    }
}
