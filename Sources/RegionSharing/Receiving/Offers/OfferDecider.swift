package import FoundationEssentials
import HostNetwork
package import PeerCore
package import RegionStore
import Synchronization

/// Decides on offers, before anything is written.
package final class OfferDecider: Sendable {
    private struct State {
        var region: Region?
        /// Whose digits a person has compared.
        var compared: PeerID?
        var refusal: ReceivingError?
        var accepted: AcceptedOffer?
        /// What the last reception has done to the map that its region had; nil if that is not known.
        var mapChange: MapChange?
        /// By region, the kinds whose own edits may be replaced if there are no other questions.
        var givenUp: [UUID: Set<ResourceKind>] = [:]
    }

    private let store: RegionStore
    let kinds: Set<ResourceKind>?
    let routes: RouteSelection
    private let asksForPart: Bool
    let wish: CatalogueWish
    let rule: KeepRule?
    let picked: PickedOffers
    let consent: Consent
    private let ownID: PeerID?
    let person: any Person
    /// What offered maps would do to those of the store.
    package let forecasts = MapForecasts()
    private let state = Mutex(State())

    /// Creates a decider on offers of some kinds and routes; without kinds, of all.
    package init(
        store: RegionStore,
        kinds: Set<ResourceKind>? = nil,
        routes: RouteSelection = .all,
        asksForPart: Bool = false,
        wish: CatalogueWish = .usual,
        rule: KeepRule? = nil,
        picked: PickedOffers = PickedOffers(),
        consent: Consent,
        ownID: PeerID? = nil,
        person: any Person
    ) {
        (self.store, self.kinds, self.routes, self.asksForPart) = (store, kinds, routes, asksForPart)
        (self.wish, self.rule, self.picked, self.consent) = (wish, rule, picked, consent)
        (self.ownID, self.person) = (ownID, person)
    }

    /// The offered region; nil before an offer has arrived.
    package var offeredRegion: Region? { state.withLock { $0.region } }

    /// Whether a person has compared digits with a sender, in this transfer or before its connection broke.
    package func hasCompared(_ peer: PeerID?) -> Bool {
        peer != nil && [picked.compared, state.withLock { $0.compared }].contains(peer)
    }

    /// The authenticated sender of the last accepted offer; nil if there is none.
    package var agreedPeer: PeerID? { state.withLock { $0.accepted?.terms.peer } }

    /// The accepted map; nil if there is none.
    package var agreedMap: ContentDigest? { state.withLock { $0.accepted?.map } }

    package var hasAgreed: Bool { state.withLock { $0.accepted != nil } }

    /// Whether a region has the files with which the last accepted offer was compared, or has got the offered ones since.
    package func isAsAgreed(_ files: [ResourceKind: ContentDigest]) -> Bool {
        guard let accepted = state.withLock({ $0.accepted }) else { return true }
        let (map, routing) = (ResourceKind.regionMaps.lazy.compactMap { files[$0] }.first, files[.routing])
        let offered = accepted.entries.first { $0.kind == .routing }?.digest
        return (map == accepted.terms.localMap || map == accepted.map)
            && (routing == accepted.terms.localRouting || routing == offered)
    }

    /// The reason why this side declined; nil if it did not.
    package var refusal: ReceivingError? { state.withLock { $0.refusal } }

    private var asksPerson: Bool { consent.asks && rule == nil }

    /// Whether a person will be asked about an offer.
    package func asks(about manifest: Manifest) -> Bool {
        guard asksPerson else { return false }
        guard let terms = state.withLock({ $0.accepted?.terms }) else { return true }
        return terms.peer == nil || terms.manifest != manifest.digest
    }

    /// Decides on an offer: asks a person, unless it is accepted without a question.
    package func decide(_ offer: TransferOffer) async throws -> OfferAnswer {
        let (id, peer) = (offer.manifest.id, offer.peer.security.certifiedID)
        let isOneOfSeveral = peer == nil ? picked.contains(id) : picked.contains(id, from: peer)
        state.withLock { $0.refusal = nil }
        do {
            let answer = try await answer(to: offer)
            if answer.kinds == nil { picked.declined(offer.manifest.id) }
            return answer
        } catch let error as ReceivingError where isOneOfSeveral && (rule == nil || !error.isChange) {
            // It is no reason to leave out the others.
            picked.declined(offer.manifest.id)
            refuse(error)
            person.tell(.problem(error))
            return .decline(Refusal(.declined, "it cannot be added there."))
        } catch let error as ReceivingError where error.isUnfulfillable && rule == nil && !hasAgreed {
            // After a yes, it is another sender, or the same one in another state: the first may come back.
            refuse(error)
            return .decline(
                Refusal(.declined, "what the receiver asked for is not offered, or cannot be received alone.")
            )
        }
    }

    private func answer(to offer: TransferOffer) async throws -> OfferAnswer {
        // What was picked from the list of this sender stands for nothing else.
        if !picked.contains(offer.manifest.id, from: offer.peer.security.certifiedID) {
            try state.withLock { $0.accepted }?.checkSubstitute(offer)
        }
        let region = try offer.manifest.region()
        let local = try localRegion(for: offer.manifest)
        let terms = AcceptedOffer.Terms(offer, region, local)
        let agreedKinds = state.withLock { state -> Set<ResourceKind>? in
            state.region = region
            guard let accepted = state.accepted, accepted.covers(offer, terms, consent) else { return nil }
            return accepted.kinds
        }
        var facts = try await facts(of: offer, region, local)
        if let rule, local == nil, !rule.takesNew { return try await keep(facts, by: rule) }
        try check(facts)
        try checkIsWanted(region, offer.manifest)
        // What was agreed to already is not compared again.
        if agreedKinds == nil {
            try addChanges(to: &facts)
            // Now it is also known how many tiles the maps have together.
            try check(facts)
        }
        let answer =
            if let agreedKinds {
                OfferAnswer.accept(agreedKinds)
            } else {
                try await answer(facts, to: OfferedRegion(region, offer.manifest))
            }
        guard let accepted = answer.kinds else { return answer }
        let now = try localRegion(for: offer.manifest)
        guard now?.id == local?.id, now?.mapDigest == local?.mapDigest, now?.routingDigest == local?.routingDigest
        else { throw ReceivingError.changed(region: region.name) }
        if let local, local.id != region.id { _ = try store.adopt(region.id, for: local.id) }
        state.withLock {
            $0.accepted = AcceptedOffer(terms: terms, kinds: accepted, entries: offer.manifest.entries)
        }
        return answer
    }

    private func facts(of offer: TransferOffer, _ region: Region, _ local: RegionSummary?) async throws -> OfferFacts {
        let wanted = Set(ResourceKind.regionKinds).intersection(kinds ?? Set(ResourceKind.regionKinds))
            .intersection(offer.manifest.entries.map(\.kind))
        var facts = OfferFacts(
            peer: offer.peer,
            region: region,
            entries: offer.manifest.entries,
            wanted: wanted.withPlaces(in: local),
            digits: offer.pairing,
            local: local
        )
        facts.edits = try local.map { try store.offeredEdits(of: region, in: $0.id) } ?? []
        facts.itemsStay = !mayReplace(offer.peer)
        facts.routes = routes
        facts.maker = try store.maker(of: region.signature, ownID: ownID)
        facts.localMaker = try store.maker(of: local?.signature, ownID: ownID)
        facts.asksForPart = asksForPart
        facts.estimate = offer.estimate
        facts.turn = offer.turn
        facts.network = await NetworkRate.known(of: offer.interface)
        facts.hasCableSocket = NetworkRate.hasCableSocket()
        return facts
    }

    /// Finds the tiles that differ, and the hikes and planned routes of the store on which they lie.
    private func addChanges(to facts: inout OfferFacts) throws {
        guard let local = facts.local, facts.replacedFiles.contains(.mbtiles), asksPerson,
            let map = facts.entries.first(where: { $0.kind == .mbtiles })
        else { return }
        let isPart = facts.region.cut != nil
        // It may be the map of another region.
        let known = { try? self.store.change(by: map.digest, of: local.id, isPart: isPart) }
        facts.change = forecasts.change(by: map.digest, isPart: isPart) ?? known()
        facts.changedRoutes = try routes(facts.change, of: local.id)
    }

    private func routes(_ change: MapChange?, of regionID: UUID) throws -> ChangedRoutes? {
        guard let (tiles, isAll) = change?.difference?.news, !tiles.isEmpty else { return nil }
        return try store.routes(under: tiles, of: regionID, isAll: isAll)
    }

    /// Notes what a reception has done to the map that its region had.
    package func note(_ change: MapChange) { state.withLock { $0.mapChange = change } }

    /// Takes what the last reception has done to the map of its region, and on which routes; nil if that is not known.
    package func takeMapChange(of regionID: UUID) -> (change: MapChange, routes: ChangedRoutes?)? {
        let change = state.withLock { state in
            defer { state.mapChange = nil }
            return state.mapChange
        }
        return change.map { ($0, try? routes($0, of: regionID)) }
    }

    private func answer(_ facts: OfferFacts, to offered: OfferedRegion) async throws -> OfferAnswer {
        if let rule { return try await keep(facts, by: rule) }
        person.tell(.receiving(.offered(facts)))
        let isPicked = picked.isByPerson(offered, from: facts.peer.security.certifiedID)
        if isPicked, !needsSecondQuestion(facts) { return take(facts) }
        guard asksPerson, !facts.hasNothingNew else { return try answerUnasked(facts) }
        guard let wanted = try await ask(facts) else {
            refuse(.declined(region: picked.contains(facts.region.id) ? facts.region.name : nil))
            return .decline(.byPerson)
        }
        if facts.digits != nil { state.withLock { $0.compared = facts.peer.security.certifiedID } }
        return .acceptAndPin(wanted)
    }

    /// Asks a person, who may deselect parts and is then asked again; nil if the person declines.
    private func ask(_ facts: OfferFacts) async throws -> Set<ResourceKind>? {
        var question = OfferQuestion(offer: facts, selectable: facts.wanted)
        while true {
            switch try await person.ask(question) {
            case .everything: return question.offer.wanted
            case .nothing: return nil
            case .only(let kinds):
                var narrowed = question.offer
                narrowed.wanted = question.selection(kinds)
                do {
                    try check(narrowed)
                    (question.offer, question.objection) = (narrowed, nil)
                    person.tell(.receiving(.offered(narrowed)))
                } catch let error as ReceivingError {
                    question.objection = error
                }
            }
        }
    }

    /// Decides without a question: everything is accepted, or what a known sender has.
    private func answerUnasked(_ facts: OfferFacts) throws -> OfferAnswer {
        guard consent == .everything || facts.hasNothingNew || facts.peer.isKnown else {
            return .decline(refuseStranger(facts.peer))
        }
        try checkWhatIsReplaced(facts)
        return take(facts)
    }

    private func take(_ facts: OfferFacts) -> OfferAnswer {
        person.tell(.receiving(.takenUnasked(facts)))
        return .accept(facts.wanted)
    }

    /// Whether own edits of a kind stay: without a person, they do, whatever the sender says of its edits.
    func keepsOwnEdits(of regionID: UUID, _ kind: ResourceKind) -> Bool {
        rule != nil && state.withLock { $0.givenUp[regionID]?.contains(kind) != true }
    }

    /// Notes that a person lets own edits be replaced.
    func giveUpOwnEdits(_ kinds: Set<ResourceKind>, of regionID: UUID) {
        state.withLock { $0.givenUp[regionID] = kinds }
    }

    /// Notes why this side declines.
    func refuse(_ error: ReceivingError) { state.withLock { $0.refusal = error } }

    /// Notes that a machine is not trusted and there is no person to ask; returns what it is told.
    func refuseStranger(_ peer: RemotePeer) -> Refusal {
        refuse(.stranger(peer: peer.displayName))
        return Refusal(.notTrusted, "the receiver does not trust this machine and cannot ask anyone.")
    }

    /// Whether local data may be replaced: a person decides, or the sender is known.
    package func mayReplace(_ peer: RemotePeer) -> Bool { consent.asks || peer.isKnown }

    /// Returns the region of this store to which an offer is added: the one with the same id, or else, if a person agrees, one
    /// with the same map.
    private func localRegion(for manifest: Manifest) throws -> RegionSummary? {
        let regions = try store.regions()
        if let region = regions.first(where: { $0.id == manifest.id }) { return region }
        guard asksPerson, let map = ResourceKind.regionMaps.lazy.compactMap({ manifest.entry(of: $0) }).first else {
            return nil
        }
        return regions.first { $0.mapDigest == map.digest }
    }
}
