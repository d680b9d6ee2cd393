import FoundationEssentials
import PeerProtocol
package import RegionModel

/// What an offered region is to a store, as far as a catalogue says.
package enum RegionNovelty: Hashable, Sendable {
    /// The store does not have it.
    case new
    /// It has the same map; hikes, routes, waypoints and photos may be newer.
    case same
    /// The map is not offered; hikes, routes, waypoints and photos may be newer.
    case itemsOnly
    /// A part of a map, which is added to the map in the store.
    case part(MapAges)
    /// Another map than the one in the store.
    case other(MapAges)

    /// Compares an offered region with the region of the store that has its id, or else its map.
    package init(of offered: OfferedRegion, among regions: [RegionSummary]) {
        guard let local = Self.local(for: offered, among: regions) else {
            self = .new
            return
        }
        guard let map = offered.mapDigest else {
            self = .itemsOnly
            return
        }
        guard map != local.mapDigest else {
            self = .same
            return
        }
        let ages = MapAges(offered: offered.edition, local: local.edition)
        self = offered.isPart ? .part(ages) : .other(ages)
    }

    /// Returns the region of the store to which an offered one belongs; nil if there is none.
    package static func local(for offered: OfferedRegion, among regions: [RegionSummary]) -> RegionSummary? {
        regions.first { $0.id == offered.id }
            ?? offered.mapDigest.flatMap { map in regions.first { $0.mapDigest == map } }
    }

    /// Whether it has a map, or tiles, that the store lacks, and that are known not to be older.
    package var isNews: Bool {
        switch self {
        case .new: true
        case .part(let ages): !ages.needQuestion
        case .other(let ages): ages.age == .newer
        case .same, .itemsOnly: false
        }
    }

    /// Whether nothing that the store has would become older, and items may become newer.
    package var isHarmless: Bool {
        switch self {
        case .same, .itemsOnly: true
        case .new, .part, .other: false
        }
    }
}

extension RegionSource {
    /// What a catalogue says of it.
    package var offered: OfferedRegion? {
        (try? manifest.description(as: Region.self)).map { OfferedRegion($0, manifest) }
    }
}

extension RegionStore {
    /// Returns the offered regions that a text means, by the rules for the regions of a store.
    package static func offered(_ regions: [OfferedRegion], matching text: String) -> [OfferedRegion] {
        RegionQuery(text, isExact: false).matches(regions, name: \.name, id: \.id)
    }
}
