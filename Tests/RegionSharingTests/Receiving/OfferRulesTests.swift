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

    @Test(arguments: [(false, false, false), (true, false, true), (false, true, true)] as [(Bool, Bool, Bool)])
    func knownMachinesAloneNeedNoQuestion(isTrusted: Bool, hasLink: Bool, isTaken: Bool) async throws {
        try await Self.withDecider(.knownMachines) { decider, person in
            let peer = OfferMaker.peer(isTrusted: isTrusted, byLink: hasLink)
            let answer = try await decider.decide(try OfferMaker.offer(try Sample.uuid(), from: peer))
            #expect((answer.kinds != nil) == isTaken)
            #expect(decider.refusal == (isTaken ? nil : .stranger(peer: peer.displayName)))
            #expect(person.asked.isEmpty)
        }
    }

    /// In plain text, anyone on the network can be the sender that comes back.
    @Test(arguments: [(true, 1), (false, 2)]) func aYesIsForASenderThatHasProvedItsID(
        isEncrypted: Bool,
        count: Int
    )
        async throws
    {
        try await Self.withDecider(.person, answer: .everything) { decider, person in
            let offer = try OfferMaker.offer(try Sample.uuid(), from: OfferMaker.peer(isEncrypted: isEncrypted))
            for _ in 0..<2 { #expect(try await decider.decide(offer).kinds != nil) }
            #expect(person.asked.count == count)
        }
    }

    @Test func whatWasDeclinedOfSeveralIsNotAskedForAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let regions = try Sample.catalogue().prefix(2).map(\.region)
            let (ids, peer, picked) = (regions.map(\.id), OfferMaker.peer(), PickedOffers())
            picked.pick(ids, of: regions, from: peer.security.certifiedID, isCompared: false, isByPerson: false)
            let store = try RegionStore(path: directory.path("store"))
            let person = TestPerson { _ in OfferQuestion.Answer.nothing }
            let decider = OfferDecider(store: store, picked: picked, consent: .person, person: person)
            #expect(try await decider.decide(try OfferMaker.offer(ids[0], from: peer)).kinds == nil)
            #expect(decider.refusal == .declined(region: "Coma Pedrosa"))
            #expect(picked.left(of: peer.security.certifiedID, among: ids) == [ids[1]])
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
                    nil, .noMap(region: "Coma Pedrosa", isForeign: false),
                    .nothingWanted(region: "Coma Pedrosa", isLimited: false), nil,
                ]
            )
            #expect(asked.map(\.offer.wanted) == Array(repeating: [.mbtiles, .routing], count: 3) + [[.mbtiles]])
        }
    }
}
