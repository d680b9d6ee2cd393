import PeerCore
import RegionStore

/// Refuses what cannot be stored, and what may not be replaced without a question.
extension OfferDecider {
    /// Without a question, only a known sender may replace a local map or routing database, and only by a newer one of the same
    /// area and signer.
    func checkWhatIsReplaced(_ facts: OfferFacts) throws {
        guard let replacement = facts.replacement else { return }
        let local = replacement.local.name
        switch replacement.objection(isSenderKnown: mayReplace(facts.peer)) {
        case .untrustedSender: throw ReceivingError.untrustedSender(local: local, peer: facts.peer.displayName)
        case .anotherArea: throw ReceivingError.anotherArea(region: facts.region.name, local: local)
        case .olderMap, .unknownAge: throw ReceivingError.doubtfulAge(local: local, replacement.ages)
        case .anotherSigner: throw ReceivingError.losesSigner(local: local)
        case nil: return
        }
    }

    func check(_ facts: OfferFacts) throws {
        let name = facts.region.name
        guard !facts.wanted.isEmpty else {
            throw ReceivingError.nothingWanted(region: name, isLimited: kinds != nil)
        }
        if let names = routes.names, facts.wanted.isDisjoint(with: ResourceKind.regionRoutes) {
            throw ReceivingError.noRoutes(name: names[0])
        }
        // Without a person, the rule leaves out the map alone.
        guard rule != nil || facts.replacement?.hasTooManyTiles != true else {
            throw ReceivingError.tooManyTiles(region: name)
        }
        guard facts.wanted.isDisjoint(with: ResourceKind.regionMaps), facts.local == nil else { return }
        throw ReceivingError.noMap(region: name, isForeign: facts.region.foreign != nil)
    }

    /// Checks that the only offer of a sender is one of the regions that are wanted.
    func checkIsWanted(_ region: Region, _ manifest: Manifest) throws {
        guard case .named(let names) = wish, !picked.contains(region.id) else { return }
        let offered = [OfferedRegion(region, manifest)]
        guard !names.contains(where: { RegionStore.offered(offered, matching: $0).count == 1 }) else { return }
        throw ReceivingError.anotherRegion(offered: region.name, wanted: names.first ?? "")
    }

    /// Whether a person who has picked the region from a list must see what would be lost here.
    func needsSecondQuestion(_ facts: OfferFacts) -> Bool {
        guard let local = facts.local else { return false }
        // Under another id, it is the rest of the offer that goes to the region here.
        if local.id != facts.region.id || facts.edits.contains(where: \.replaces) { return true }
        // That nothing is new is only what the sender says.
        if facts.change?.union?.isNothing == true { return true }
        guard let replacement = facts.replacement, !replacement.files.isEmpty else { return false }
        if replacement.losesSigner || replacement.objection(isSenderKnown: true) != nil { return true }
        return replacement.ages?.age == .same && !replacement.addsToMap
    }
}
