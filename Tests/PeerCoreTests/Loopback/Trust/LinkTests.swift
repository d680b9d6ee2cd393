import PeerCore
import PeerTestSupport
import Testing

/// Receivers that come with a link.
@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    private static func pair(token: LinkToken? = .random()) throws -> Pair {
        var pair = try Pair()
        pair.linkToken = token
        return pair
    }

    @Test func theRightTokenAdmitsWithoutDigitsAndPinsNobody() async throws {
        var pair = try Self.pair()
        let (atSender, atReceiver) = (MemoryTrustStore(), MemoryTrustStore())
        pair.senderTrust = atSender
        pair.receiverTrust = atReceiver
        let outcome = try await pair.transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            expecting: pair.senderIdentity.id,
            token: pair.linkToken,
            decide: { offer in
                #expect(offer.peer.admittedByLink)
                #expect(offer.pairing == nil)
                return .acceptAndPin(offer.kinds)
            },
            invite: { invitation in
                #expect(invitation.peer.admittedByLink)
                #expect(invitation.pairing == nil)
                return .acceptAndPin
            }
        )
        #expect(try outcome.received.get().peer?.admittedByLink == true)
        #expect(outcome.sent?.peer?.admittedByLink == true)
        #expect(atSender.peers.isEmpty && atReceiver.peers.isEmpty)
    }

    /// A sender that a link has named may replace what is here; another one may not.
    @Test(arguments: [EncryptionPreference.none, .required])
    func withoutALinkNobodyCountsAsAdmittedByOne(encryption: EncryptionPreference) async throws {
        let outcome = try await Pair(encryption: encryption).transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            decide: { offer in
                #expect(!offer.peer.admittedByLink)
                return .accept(offer.kinds)
            },
            invite: { invitation in
                #expect(!invitation.peer.admittedByLink)
                return .accept
            }
        )
        #expect(try outcome.received.get().peer?.admittedByLink == false)
        #expect(outcome.sent?.peer?.admittedByLink == false)
    }

    @Test(arguments: [true, false]) func aWrongOrStaleTokenIsDeclinedAlikeAndNobodyIsAsked(isStale: Bool) async throws {
        let pair = try Self.pair(token: isStale ? nil : .random())
        let sink = MemorySink()
        let outcome = try await pair.transfer(
            TransferTests.source(sizes: [10]),
            into: sink,
            expecting: pair.senderIdentity.id,
            token: .random(),
            invite: { _ in nobodyIsAsked() }
        )
        let error = peerError(outcome.received)
        #expect(error?.code == .declined)
        #expect(
            error?.message == "The other side declined: The link is invalid or has expired. Ask for a new one."
        )
        #expect(sink.snapshot.examined == 0)
    }

    @Test func aTokenIsOnlyShownToTheNamedPeer() async throws {
        let pair = try Self.pair()
        let source = try TransferTests.source(sizes: [10])
        let other = try await pair.transfer(
            source,
            into: MemorySink(),
            expecting: PeerIdentity.generate(for: .hikeshare).id,
            token: pair.linkToken,
            invite: { _ in nobodyIsAsked() }
        )
        #expect(peerError(other.received)?.code == .notTrusted)
    }

    @Test func guessingTokensLocksTheLinkForThatAddressAndNothingElse() async throws {
        let pair = try Self.pair()
        try await pair.serving(TransferTests.source(sizes: [10])) { address, _ in
            let id = pair.senderIdentity.id
            for _ in 0..<5 {
                let wrong = await outcome {
                    try await pair.receive(from: address, expecting: id, token: .random(), into: MemorySink())
                }
                #expect(peerError(wrong)?.message.contains("link is invalid") == true)
            }
            // Even the right one now gets the answer of a wrong one.
            let right = await outcome {
                try await pair.receive(from: address, expecting: id, token: pair.linkToken, into: MemorySink())
            }
            #expect(peerError(right)?.message.contains("link is invalid") == true)
            // Digits still work.
            let honest = try await pair.receive(from: address, into: MemorySink())
            #expect(honest.bytesTransferred == 10)
        }
    }

    @Test func aTokenInPlainTextIsWorthNothing() async throws {
        var pair = try Self.pair()
        pair.sending.encryption = .none
        let token = try #require(pair.linkToken)
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in nobodyIsAsked() },
            { address, _ in
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet()
                    try await peer.send(.invite(InvitationRequest(timeout: 300, token: token)))
                    guard case .decline(let refusal) = try await peer.nextFrame() else {
                        throw ScriptError("no refusal")
                    }
                    #expect(refusal.code == .link)
                }
            }
        )
    }
}
