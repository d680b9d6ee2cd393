import FoundationEssentials
import MapFiles
import PeerProtocol
import RegionModel

/// The place of a part of a map, whose items an offer has.
struct CutPlace {
    private let strip: TileRuns?
    private let area: BoundingBox?

    /// Creates it; nil if the part lies everywhere.
    init?(_ rule: CutRule?, of region: RegionSummary) throws {
        guard let rule, !rule.lines.isEmpty || rule.area != nil else { return nil }
        do {
            strip = try rule.strip()
        } catch {
            throw RegionStoreError(error.code, "“\(region.name)”: \(error.message)", remedy: error.remedy)
        }
        area = rule.area
    }

    /// Returns whether a place is in the part.
    func contains(_ place: Coordinate) -> Bool {
        guard area?.contains(place) ?? true else { return false }
        guard let strip else { return true }
        guard let tile = TileGrid(zoomLevel: CutRule.detail).tile(at: place) else { return false }
        return strip.contains(column: tile.column, row: tile.row)
    }

    /// Returns whether an item with a line is in the part.
    ///
    /// Recorded hikes say where a person was, so they are in it with all their points. Of a planned route, one point is enough.
    func contains(_ line: [Coordinate], of kind: ResourceKind) -> Bool {
        kind == .savedroutes ? !line.isEmpty && line.allSatisfy(contains) : line.contains(where: contains)
    }
}
