package import FoundationEssentials
package import PeerCore
package import RegionStore

/// What is taken of trusted machines without a person.
///
/// A pure value.
///
/// ```swift
/// let keeper = RegionKeeper(into: store, as: local, rule: KeepRule(takesNew: true), person: person)
/// ```
public struct KeepRule: Hashable, Sendable {
    /// Whether regions are taken that the store does not have.
    public var takesNew: Bool

    /// Creates a rule.
    public init(takesNew: Bool = false) { self.takesNew = takesNew }

    /// The effects of an offer on the store.
    package struct Facts: Hashable, Sendable {
        /// Whether the sender is trusted, and has proved its key.
        package var isTrusted = true
        /// Whether the store has the region.
        package var isHere = true
        /// The kinds that are offered and wanted.
        package var wanted: Set<ResourceKind>
        package var replacedFiles: Set<ResourceKind> = []
        /// Whether they belong to another area.
        package var coversAnotherArea = false
        /// Whether the offered map is a part, which is added.
        package var addsToMap = false
        /// Whether the part and the map have too many tiles together.
        package var hasTooManyTiles = false
        /// Whether the offered map is newer than the one here; nil if the map stays.
        package var mapAge: MapEdition.Age?
        /// Whether the map here would lose its signature, or get another signature.
        package var losesSigner = false
        /// The kinds of the items that were edited on this machine, and would be replaced.
        package var ownEdits: Set<ResourceKind> = []
    }

    /// Why something is left out.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Reason: String, Sendable {
        /// The sender is not trusted, or has not proved its key.
        case notTrusted
        /// The store does not have the region, and new ones are not taken.
        case notHere
        /// The files belong to another area than those in the store.
        case anotherArea
        /// The part and the map in the store have too many tiles together.
        case tooManyTiles
        /// The map is older than the one in the store.
        case olderMap
        /// Which map is newer is not known.
        case unknownAge
        /// The map in the store would lose its signature, or get another signature.
        case anotherSigner
        /// Items that were edited here would be replaced.
        case ownEdits
    }

    /// What is done with an offer.
    package enum Decision: Hashable, Sendable {
        /// These kinds are taken, without what is left out for these reasons.
        case take(Set<ResourceKind>, leftOut: [Reason])
        /// A person is asked whether own edits of some kinds may be replaced. If not, they stay, and the rest is taken.
        case ask(Set<ResourceKind>, ownEdits: Set<ResourceKind>, leftOut: [Reason])
        /// Nothing is taken.
        case decline(Reason)
    }

    /// Selects regions of a catalogue, from which the single offers are decided on later.
    package func picks(_ offers: [CatalogueItem]) -> [UUID] {
        offers.filter { takesNew || $0.novelty != .new }.map(\.region.id)
    }

    /// Decides on an offer.
    package func decision(_ facts: Facts) -> Decision {
        guard facts.isTrusted else { return .decline(.notTrusted) }
        guard facts.isHere || takesNew else { return .decline(.notHere) }
        var kinds = facts.wanted
        var leftOut: [Reason] = []
        func leaveMap(_ reason: Reason) {
            // The routing file belongs to the map.
            kinds.subtract(ResourceKind.regionFiles)
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
