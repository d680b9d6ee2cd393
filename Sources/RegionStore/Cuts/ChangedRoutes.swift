package import FoundationEssentials
import GRDB
package import MapFiles
import PeerProtocol
package import RegionModel

/// The hikes and planned routes of a region on which some tiles of its map lie.
package struct ChangedRoutes: Hashable, Sendable {
    /// The maximum number of lines that are looked at, the longest ones first.
    static let maximumLineCount = 100

    /// The names of those with such tiles, the one with most tiles first.
    package var names: [String]

    /// The number of tiles on any of them.
    package var tileCount: Int

    /// Whether there may be more: not all tiles or not all lines were looked at.
    package var isLeast: Bool

    package init(names: [String], tileCount: Int, isLeast: Bool = false) {
        self.names = names
        self.tileCount = tileCount
        self.isLeast = isLeast
    }
}

extension RegionStore {
    /// Finds the hikes and planned routes of a region on which some tiles lie.
    ///
    /// - Returns: The hikes and planned routes; nil if the region has none.
    package func routes(under tiles: TileSet, of regionID: UUID, isAll: Bool = true) throws -> ChangedRoutes? {
        let region = try region(regionID)
        let items = try routes(of: region).sorted { $0.distance ?? 0 > $1.distance ?? 0 }
        guard !items.isEmpty else { return nil }
        var isLeast = !isAll || items.count > ChangedRoutes.maximumLineCount
        var found: [(name: String, count: Int)] = []
        var all = TileSet()
        // As for one strip along all of them.
        var effort = CutRule.maximumEffort
        for item in items.prefix(ChangedRoutes.maximumLineCount) {
            guard let line = try? points(of: item, in: region),
                let common = tiles.tiles(on: line, effort: &effort)
            else {
                isLeast = true
                continue
            }
            guard !common.isEmpty else { continue }
            found.append((item.name, common.count))
            all = all.union(common)
        }
        // The order of equal ones is that of their lengths.
        let ranked = found.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        return ChangedRoutes(names: ranked.map(\.element.name), tileCount: all.count, isLeast: isLeast)
    }

    /// Returns the hikes and the planned routes of a region.
    package func routes(of region: RegionSummary) throws -> [ItemDescription] {
        try items(.hike, of: region.id) + items(.plannedRoute, of: region.id)
    }

    /// Returns the points of a hike or planned route.
    package func points(of item: ItemDescription, in region: RegionSummary) throws -> [Coordinate] {
        let kind: ResourceKind = item.kind == .hike ? .savedroutes : .plannedroutes
        let points = try database.read { OutlineSelection.points(of: item.id, kind, in: region.id, $0) }
        guard let points, !points.isEmpty else {
            throw RegionStoreError(.invalidFile, "“\(item.name)” has no points.")
        }
        return points
    }
}
