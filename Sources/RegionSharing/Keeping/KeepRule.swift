import FoundationEssentials
import PeerCore
import RegionStore

/// What `receive --keep` takes without a person.
///
/// A pure value.
struct KeepRule: Hashable, Sendable {
    /// Whether regions are taken that the store does not have.
    var takesNew = false

    /// What an offer would do to the store.
    struct Facts: Hashable, Sendable {
        /// Whether the sender is trusted, and has proved its key.
        var isTrusted = true
        /// Whether the store has the region.
        var isHere = true
        /// The kinds that are offered and wanted.
        var wanted: Set<ResourceKind>
        /// The files that would be replaced.
        var replacedFiles: Set<ResourceKind> = []
        /// Whether they belong to another area.
        var coversAnotherArea = false
        /// Whether the offered map is a part, which is added.
        var addsToMap = false
        /// Whether the part and the map have too many tiles together.
        var hasTooManyTiles = false
        /// Whether the offered map is newer than the one here; nil if the map stays.
        var mapAge: MapEdition.Age?
        /// Whether the map here would lose its signature, or get that of somebody else.
        var losesSigner = false
        /// The kinds of the items that were edited on this machine, and would be replaced.
        var ownEdits: Set<ResourceKind> = []
    }

    /// Why something is left out.
    enum Reason: Hashable, Sendable {
        case notTrusted
        case notHere
        case anotherArea
        case tooManyTiles
        case olderMap
        case unknownAge
        case anotherSigner
        case ownEdits
    }

    /// What is done with an offer.
    enum Decision: Hashable, Sendable {
        /// These kinds are taken, without what is left out for these reasons.
        case take(Set<ResourceKind>, leftOut: [Reason])
        /// A person is asked whether own edits of some kinds may be replaced. If not, they stay, and the rest is taken.
        case ask(Set<ResourceKind>, ownEdits: Set<ResourceKind>, leftOut: [Reason])
        /// Nothing is taken.
        case decline(Reason)
    }

    /// Selects regions of a catalogue, from which the single offers are decided on later.
    func picks(_ offers: [CatalogueItem]) -> [UUID] {
        offers.filter { takesNew || $0.novelty != .new }.map(\.region.id)
    }

    /// Decides on an offer.
    func decision(_ facts: Facts) -> Decision {
        guard facts.isTrusted else { return .decline(.notTrusted) }
        guard facts.isHere || takesNew else { return .decline(.notHere) }
        var kinds = facts.wanted
        var leftOut: [Reason] = []
        func leaveMap(_ reason: Reason) {
            // The routing file belongs to the map.
            kinds.subtract(ResourceKind.files)
            leftOut.append(reason)
        }
        if facts.coversAnotherArea {
            leaveMap(.anotherArea)
        } else if facts.hasTooManyTiles {
            leaveMap(.tooManyTiles)
        } else if facts.mapAge == .older || facts.mapAge == .same && !facts.addsToMap {
            leaveMap(.olderMap)
        } else if facts.mapAge == .unknown {
            leaveMap(.unknownAge)
        } else if facts.losesSigner {
            leaveMap(.anotherSigner)
        }
        guard !kinds.isEmpty else { return .decline(leftOut.first ?? .notHere) }
        let own = facts.ownEdits.intersection(kinds)
        return own.isEmpty ? .take(kinds, leftOut: leftOut) : .ask(kinds, ownEdits: own, leftOut: leftOut)
    }
}
