import Foundation
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What is picked from a list of regions.
@Suite struct CatalogueTests {
    /// In plain text, nothing proves who offers what was picked, so each offer is a question of its own.
    @Test func whatWasPickedInPlainTextStandsForNothing() throws {
        let region = try #require(try Sample.catalogue().first?.region)
        for (peer, counts) in [(nil, false), (Sample.peerID(1), true)] as [(PeerID?, Bool)] {
            let picked = PickedOffers()
            picked.pick([region.id], of: [region], from: peer, isCompared: false, isByPerson: true)
            #expect(picked.contains(region.id, from: peer) == counts)
            #expect(picked.isByPerson(region, from: peer) == counts)
            #expect(picked.contains(region.id))
        }
    }

    @Test func theUsualPickIsWhatIsNew() throws {
        let items = try Sample.catalogue()
        let ids = items.map(\.region.id)
        #expect(CatalogueWish.usual.ids(of: items) == [ids[0], ids[1]])
        // What may bring newer items, but never an older map.
        #expect(CatalogueWish.usual.ids(of: Array(items.suffix(2))) == [ids[2]])
        #expect(CatalogueWish.usual.ids(of: Array(items.suffix(1))).isEmpty)
        #expect(CatalogueWish.all.ids(of: items) == ids)
    }

    @Test func namesSelectOneRegionEach() throws {
        let items = try Sample.catalogue()
        var missing: [String] = []
        let ids = CatalogueWish.named(["pirineus", "coma", "pir", "x", "a"]).ids(of: items) { missing.append($0) }
        #expect(ids == [items[2].region.id, items[0].region.id])
        #expect(missing == ["x", "a"])
    }

    // MARK: Who picks

    /// Picks as a person does, by the places in what is asked about; nil for nothing.
    private static func withDecider(
        _ answer: [Int]? = nil,
        consent: Consent = .person,
        wish: CatalogueWish = .usual,
        rule: KeepRule? = nil,
        _ body: (CatalogueDecider) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let person = TestPerson { question in
                guard let question = question as? CatalogueQuestion, let answer else { return nil }
                return answer.map { question.catalogue.items[$0].region.id }
            }
            let offers = OfferDecider(store: store, wish: wish, rule: rule, consent: consent, person: person)
            try await body(CatalogueDecider(store: store, offers: offers))
        }
    }

    private static func offer(_ items: [CatalogueItem], from peer: RemotePeer) throws -> OfferPicking.Offer {
        OfferPicking.Offer(peer: peer, catalogue: try Catalogue(items.map(\.region)), pairing: nil)
    }

    private static func ids(_ answer: OfferPicking.Answer) -> [UUID]? {
        switch answer {
        case .pick(let ids), .pickAndPin(let ids): ids
        case .decline: nil
        }
    }

    @Test func aPersonPicks() async throws {
        let items = try Sample.catalogue()
        try await Self.withDecider([0, 2]) { decider in
            let answer = try await decider.decide(try Self.offer(items, from: OfferMaker.peer()))
            #expect(Self.ids(answer) == [items[0].region.id, items[2].region.id])
            let peer = OfferMaker.peer().security.certifiedID
            #expect(decider.offers.picked.isByPerson(items[0].region, from: peer))
            #expect(!decider.offers.picked.isByPerson(items[1].region, from: peer))
            // What another sender offers, and what is not as the list said, is for a question of its own.
            #expect(!decider.offers.picked.isByPerson(items[0].region, from: nil))
            #expect(!decider.offers.picked.isByPerson(items[0].region, from: Sample.peerID(2)))
            var other = items[0].region
            other.size += 1
            #expect(!decider.offers.picked.isByPerson(other, from: peer))
            other.size -= 1
            other.name = "Andorra"
            #expect(!decider.offers.picked.isByPerson(other, from: peer))
        }
        try await Self.withDecider(nil) { decider in
            let answer = try await decider.decide(try Self.offer(items, from: OfferMaker.peer()))
            #expect(Self.ids(answer) == nil)
            #expect(decider.offers.refusal == .declined(region: nil))
        }
    }

    /// What was named is not asked for again: with digits, a person only says whether they are the same.
    @Test(arguments: [([0, 1], [2, 0]), (nil, nil)] as [([Int]?, [Int]?)])
    func whatIsNamedNeedsAYesAlone(answer: [Int]?, numbers: [Int]?) async throws {
        let items = try Sample.catalogue()
        try await Self.withDecider(answer, wish: .named(["Pirineus", "Coma Pedrosa"])) { decider in
            var offer = try Self.offer(items, from: OfferMaker.peer())
            offer.pairing = PairingDigits(digits: "012345")
            let ids = Self.ids(try await decider.decide(offer))
            #expect(ids == numbers.map { $0.map { items[$0].region.id } })
        }
    }

    @Test func withoutATerminalOnlyKnownSendersArePickedFrom() async throws {
        let items = try Sample.catalogue()
        for (peer, isWelcome) in [
            (OfferMaker.peer(), false), (OfferMaker.peer(isTrusted: true), true), (OfferMaker.peer(byLink: true), true),
        ] {
            try await Self.withDecider(consent: .knownMachines) { decider in
                let ids = Self.ids(try await decider.decide(try Self.offer(items, from: peer)))
                #expect((ids != nil) == isWelcome)
                #expect(decider.offers.refusal == (isWelcome ? nil : .stranger(peer: peer.displayName)))
            }
        }
        try await Self.withDecider(consent: .everything, wish: .named(["Pirineus", "x"])) { decider in
            let ids = Self.ids(try await decider.decide(try Self.offer(items, from: OfferMaker.peer())))
            #expect(ids == [items[2].region.id])
        }
    }

    /// What was received, or declined, is not picked again.
    @Test func afterABrokenConnectionTheRestIsPicked() async throws {
        let items = try Sample.catalogue()
        let ids = items.map(\.region.id)
        try await Self.withDecider([0, 1, 2, 3]) { decider in
            let offer = try Self.offer(items, from: OfferMaker.peer())
            let first = try await decider.decide(offer)
            #expect(Self.ids(first) == ids)
            decider.offers.picked.received(ids[0])
            decider.offers.picked.declined(ids[2])
            let second = try await decider.decide(offer)
            #expect(Self.ids(second) == [ids[1], ids[3]])
            #expect(
                !decider.offers.picked.isSettled && decider.offers.picked.isSettled(ids[0])
                    && !decider.offers.picked.isSettled(ids[1])
            )
            // What is not offered any more is given up.
            let third = try await decider.decide(try Self.offer([items[0], items[3]], from: OfferMaker.peer()))
            #expect(Self.ids(third) == [ids[3]])
            decider.offers.picked.received(ids[3])
            #expect(decider.offers.picked.isSettled)
        }
    }

    @Test func keepingAsksNobodyAndTakesNothingOfStrangers() async throws {
        let items = try Sample.catalogue()
        for (peer, rule, count) in [
            (OfferMaker.peer(), KeepRule(takesNew: true), nil),
            (OfferMaker.peer(byLink: true), KeepRule(takesNew: true), nil),
            (OfferMaker.peer(isTrusted: true), KeepRule(takesNew: true), 4),
            (OfferMaker.peer(isTrusted: true), KeepRule(), nil),
        ] as [(RemotePeer, KeepRule, Int?)] {
            try await Self.withDecider([0, 1, 2, 3], rule: rule) { decider in
                // The store is empty, so every region is new.
                let ids = Self.ids(try await decider.decide(try Self.offer(items, from: peer)))
                #expect(ids?.count == count)
            }
        }
    }
}
