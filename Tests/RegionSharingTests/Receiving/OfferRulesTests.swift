import Foundation
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Whose files and items may take the place of those that are here.
@Suite struct OfferRulesTests {
    private static func peer(isTrusted: Bool, hasLink: Bool) -> RemotePeer {
        var peer = Sample.remotePeer()
        if isTrusted { peer.trust = .trusted(name: "Ana") }
        peer.isAdmittedByShareLink = hasLink
        return peer
    }

    private static func withDecider(
        _ consent: Consent,
        answer: OfferQuestion.Answer = .nothing,
        _ body: (OfferDecider, TestPerson) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let person = TestPerson { _ in answer }
            try await body(OfferDecider(store: store, consent: consent, person: person), person)
        }
    }

    /// A person who is asked sees what would go.
    @Test(arguments: [(.person, true), (.knownMachines, false), (.everything, false)] as [(Consent, Bool)])
    func aStrangerReplacesOnlyWhatAPersonLooksAt(consent: Consent, stranger: Bool) async throws {
        try await Self.withDecider(consent) { decider, _ in
            #expect(decider.mayReplace(Self.peer(isTrusted: false, hasLink: false)) == stranger)
            #expect(decider.mayReplace(Self.peer(isTrusted: true, hasLink: false)))
            #expect(decider.mayReplace(Self.peer(isTrusted: false, hasLink: true)))
        }
    }

    /// Trust is for machines whose digits somebody has compared.
    @Test func yesToEverythingTrustsNobody() async throws {
        try await Self.withDecider(.everything) { decider, person in
            var offer = try OfferMaker.offer(try Sample.uuid(), from: OfferMaker.peer())
            offer.pairing = PairingDigits(digits: "012345")
            guard case .accept = try await decider.decide(offer) else {
                Issue.record("the sender is pinned, or not accepted")
                return
            }
            #expect(!decider.hasCompared(offer.peer.security.certifiedID))
            #expect(person.asked.isEmpty)
        }
    }

    @Test(arguments: [true, false]) func digitsWereComparedIfThereWereSome(hasDigits: Bool) async throws {
        try await Self.withDecider(.person, answer: .everything) { decider, person in
            var offer = try OfferMaker.offer(try Sample.uuid(), from: OfferMaker.peer())
            offer.pairing = hasDigits ? PairingDigits(digits: "012345") : nil
            #expect(try await decider.decide(offer).kinds != nil)
            #expect(decider.hasCompared(offer.peer.security.certifiedID) == hasDigits)
            #expect(!decider.hasCompared(Sample.peerID(99)) && !decider.hasCompared(nil))
            // After a break, the sender is trusted, and has no digits; the yes still counts.
            var again = offer
            again.pairing = nil
            #expect(try await decider.decide(again).kinds != nil)
            #expect(decider.hasCompared(offer.peer.security.certifiedID) == hasDigits)
            #expect(person.asked.count == 1)
        }
    }

    /// What a person selects is asked about again, with the reason if it is not possible.
    @Test func aSelectionThatIsNotPossibleIsAskedForAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let answers = Locked<[OfferQuestion.Answer]>([
                .only([.routing]), .only([.photos]), .only([.mbtiles]), .everything,
            ])
            let person = TestPerson { _ in answers.withLock { $0.removeFirst() } }
            let decider = OfferDecider(store: store, consent: .person, person: person)
            let offer = try OfferMaker.offer(UUID(), .init(routing: 2), from: OfferMaker.peer())
            #expect(try await decider.decide(offer).kinds == [.mbtiles])
            let asked = person.asked.compactMap { $0 as? OfferQuestion }
            #expect(
                asked.map(\.objection) == [
                    nil, .noMap(region: "Coma Pedrosa", isSealed: false),
                    .nothingWanted(region: "Coma Pedrosa", isLimited: false), nil,
                ]
            )
            #expect(asked.map(\.offer.wanted) == Array(repeating: [.mbtiles, .routing], count: 3) + [[.mbtiles]])
        }
    }
}
