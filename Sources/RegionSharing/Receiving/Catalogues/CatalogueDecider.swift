import FoundationEssentials
package import PeerCore
import RegionStore

/// Picks from the regions of a sender that offers several.
package struct CatalogueDecider: Sendable {
    var store: RegionStore
    /// Decides on the single offers.
    package var offers: OfferDecider

    private var person: any Person { offers.person }
    private var wish: CatalogueWish { offers.wish }

    /// Answers a catalogue: shows it and asks, unless what is wanted is clear.
    package func decide(_ offer: OfferPicking.Offer) async throws -> OfferPicking.Answer {
        let peer = offer.peer.security.certifiedID
        let left = offers.picked.left(of: peer, among: offer.catalogue.ids)
        // The person has compared the digits before the connection broke.
        guard left.isEmpty else { return .pick(left) }
        let regions = try store.regions()
        var facts = CatalogueFacts(
            peer: offer.peer,
            items: offer.catalogue.regions.map { CatalogueItem($0, regions) },
            digits: offer.pairing
        )
        facts.unreadableCount = offer.catalogue.ids.count + offer.catalogue.unreadableCount - facts.items.count
        facts.usual = CatalogueWish.usual.ids(of: facts.items)
        person.tell(.receiving(.listed(facts)))
        // Another sender takes the place of the one whose offer was accepted; of its list, only the same map is wanted.
        if offer.pairing == nil, let map = offers.agreedMap, offers.agreedPeer != peer,
            let same = facts.items.first(where: { $0.region.mapDigest == map })
        {
            return .pick([same.region.id])
        }
        if let rule = offers.rule { return keep(rule, facts, peer) }
        guard offers.consent.asks else {
            guard offers.consent == .everything || offer.peer.isKnown else { return notTrusted(facts) }
            return try pickWanted(facts, peer)
        }
        if wish != .usual, offer.pairing == nil { return try pickWanted(facts, peer) }
        return try await ask(facts, peer)
    }

    private func pickWanted(_ facts: CatalogueFacts, _ peer: PeerID?) throws -> OfferPicking.Answer {
        person.tell(.receiving(.pickedUnasked(facts)))
        let ids = try wanted(facts)
        guard !ids.isEmpty else { throw ReceivingError.nothingNew(peer: facts.peer.displayName) }
        return pick(ids, facts, peer, isCompared: false)
    }

    /// Selects what is wanted by name.
    private func wanted(_ facts: CatalogueFacts) throws -> [UUID] {
        var missing: [String] = []
        let ids = wish.ids(of: facts.items) { missing.append($0) }
        for name in missing {
            let error = ReceivingError.notListed(name: name, peer: facts.peer.displayName)
            guard !ids.isEmpty else { throw error }
            person.tell(.problem(error))
        }
        return ids
    }

    private func ask(_ all: CatalogueFacts, _ peer: PeerID?) async throws -> OfferPicking.Answer {
        var facts = all
        if wish != .usual {
            let ids = try wanted(facts)
            facts.offeredCount = facts.items.count
            facts.items = ids.compactMap { id in all.items.first { $0.region.id == id } }
            facts.usual = ids
        }
        guard let ids = try await person.ask(CatalogueQuestion(catalogue: facts)) else {
            return declined(.declined(region: nil), .byPerson)
        }
        return pick(ids, facts, peer, isCompared: facts.digits != nil, isByPerson: true)
    }

    private func pick(
        _ ids: [UUID],
        _ facts: CatalogueFacts,
        _ peer: PeerID?,
        isCompared: Bool,
        isByPerson: Bool = false
    ) -> OfferPicking.Answer {
        let list = facts.items.map(\.region)
        offers.picked.pick(ids, of: list, from: peer, isCompared: isCompared, isByPerson: isByPerson)
        return isByPerson ? .pickAndPin(ids) : .pick(ids)
    }

    /// Takes what updates the store.
    private func keep(_ rule: KeepRule, _ facts: CatalogueFacts, _ peer: PeerID?) -> OfferPicking.Answer {
        guard facts.peer.isTrusted else { return notTrusted(facts) }
        let ids = rule.picks(facts.items)
        guard !ids.isEmpty else {
            return declined(.nothingTaken, Refusal(.declined, "nothing of it updates what the receiver has."))
        }
        return pick(ids, facts, peer, isCompared: false)
    }

    private func declined(_ error: ReceivingError, _ refusal: Refusal) -> OfferPicking.Answer {
        offers.picked.giveUp()
        offers.refuse(error)
        return .decline(refusal)
    }

    private func notTrusted(_ facts: CatalogueFacts) -> OfferPicking.Answer {
        offers.picked.giveUp()
        return .decline(offers.refuseStranger(facts.peer))
    }
}
