import PeerCore
import PeerTestSupport
import Testing

/// Receivers that come with a share link.
@Suite(.timeLimit(.minutes(10))) struct ShareLinkTransferTests {
    private static func pair(token: ShareToken? = .random()) throws -> Pair {
        var pair = try Pair()
        pair.shareToken = token
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
            token: pair.shareToken,
            decide: { offer in
                #expect(offer.peer.isAdmittedByShareLink)
                #expect(offer.pairing == nil)
                return .acceptAndPin(offer.kinds)
            },
            invite: { invitation in
                #expect(invitation.peer.isAdmittedByShareLink)
                #expect(invitation.pairing == nil)
                return .acceptAndPin
            }
        )
        #expect(try outcome.received.get().peer?.isAdmittedByShareLink == true)
        #expect(outcome.sent?.peer?.isAdmittedByShareLink == true)
        #expect(atSender.peers.isEmpty && atReceiver.peers.isEmpty)
    }

    /// A sender that a share link has named may replace what is here; another one may not.
    @Test(arguments: [EncryptionPreference.none, .required])
    func withoutALinkNobodyCountsAsAdmittedByOne(encryption: EncryptionPreference) async throws {
        let outcome = try await Pair(encryption: encryption).transfer(
            TransferTests.source(sizes: [10]),
            into: MemorySink(),
            decide: { offer in
                #expect(!offer.peer.isAdmittedByShareLink)
                return .accept(offer.kinds)
            },
            invite: { invitation in
                #expect(!invitation.peer.isAdmittedByShareLink)
                return .accept
            }
        )
        #expect(try outcome.received.get().peer?.isAdmittedByShareLink == false)
        #expect(outcome.sent?.peer?.isAdmittedByShareLink == false)
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
            error?.message == "The other side declined: The share link is invalid or has expired. Ask for a new one."
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
            token: pair.shareToken,
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
                #expect(peerError(wrong)?.message.contains("share link is invalid") == true)
            }
            // Even the right one now gets the answer of a wrong one.
            let right = await outcome {
                try await pair.receive(from: address, expecting: id, token: pair.shareToken, into: MemorySink())
            }
            #expect(peerError(right)?.message.contains("share link is invalid") == true)
            // Digits still work.
            let honest = try await pair.receive(from: address, into: MemorySink())
            #expect(honest.bytesTransferred == 10)
        }
    }

    @Test func aTokenInPlainTextIsWorthNothing() async throws {
        var pair = try Self.pair()
        pair.sending.encryption = .none
        let token = try #require(pair.shareToken)
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
