import MapFiles
import PeerProtocol
import PeerStorage
package import RegionModel

/// The ages of an offered map and of the map in the store that it would replace, or to which it would be added.
public struct MapAges: Hashable, Sendable {
    /// The age of the offered map, as the sender says; a map that arrives and is of another age is refused.
    package var offered: MapEdition
    /// The age of the map in the store.
    package var local: MapEdition
    /// Whether one of the two is a part of the other, or both are parts of the same map.
    ///
    /// If no date and no version say more, they are of the same age then.
    package var isOfSameWhole = false

    /// Creates the ages of two maps.
    package init(offered: MapEdition, local: MapEdition) { (self.offered, self.local) = (offered, local) }

    /// Whether the offered map is newer.
    package var age: MapEdition.Age {
        let age = offered.age(comparedWith: local)
        return age == .unknown && isOfSameWhole ? .same : age
    }

    /// Both ages: `2020-01-01, yours 2026-06-01`.
    package var words: String { offered.words(comparedWith: local) }

    /// Whether something older may take the place of something newer, so that a person must be asked.
    package var needQuestion: Bool { [.older, .unknown].contains(age) }
}
