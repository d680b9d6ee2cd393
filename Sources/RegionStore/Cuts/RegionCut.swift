import FoundationEssentials
package import MapFiles
import PeerStorage
package import RegionModel

/// A part of a region's map, found but not yet written.
///
/// Only one thread may use it at a time.
package struct RegionCut {
    private let cut: MapCut
    private let mapSize: UInt64

    /// What it is a part of.
    package let description: CutDescription

    /// Whether it has all tiles of the map, so that it is no part.
    package var isWhole: Bool { cut.tileCount == cut.wholeTileCount }

    /// The number of tiles.
    package var tileCount: Int { cut.tileCount }

    /// Finds a part of an open map.
    init(_ rule: CutRule, of region: RegionSummary, in map: UntrustedDatabase) throws {
        do {
            cut = try MapCut(rule, of: map)
        } catch var error as RegionStoreError where error.code == .invalidArgument {
            let whole = region.cut.map { part in
                let names = part.names.map { "“\($0)”" }.joined(separator: ", ")
                return names.isEmpty
                    ? " (which is only a part of one)" : " (which is only a part of one, along \(names))"
            }
            error.message = "“\(region.name)”: \(error.message.replacing("The map", with: "The map\(whole ?? "")"))"
            if error.remedy == nil { error.remedy = Self.extent(of: region) }
            throw error
        }
        mapSize = region.mapSize
        var part = CutDescription(
            names: rule.names,
            distance: rule.lines.isEmpty ? nil : rule.distance,
            area: rule.area,
            maximumZoom: rule.maximumZoom,
            wholeTileCount: cut.wholeTileCount,
            wholeSize: Int64(clamping: mapSize)
        )
        part.wholeDigest = region.mapDigest
        description = region.cut.map(part.cut) ?? part
    }

    /// Says where the map of a region is, in the form in which an area is typed.
    private static func extent(of region: RegionSummary) -> String {
        let area = region.boundingBox
        let edges = [area.west, area.south, area.east, area.north].map { "\(($0 * 1000).rounded() / 1000)" }
        let zooms = region.zoomLevels
        return """
            Its map has the area \(edges.joined(separator: ",")) (west, south, east, north) and the zoom levels \
            \(zooms.lowerBound) to \(zooms.upperBound).
            """
    }

    /// Reads the tiles, in the order of the file of the part.
    func forEachTile(_ body: (MapTile) throws -> Void) throws { try cut.forEachTile(body) }

    /// Writes the part to an empty file.
    func write(
        to file: OpenFile,
        check: @escaping WriteCheck = { _ in },
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        let share = Double(mapSize) / Double(max(1, cut.wholeTileCount))
        let total = Int64(share * Double(tileCount))
        try cut.write(to: file, check: check) { done in
            progress(min(total, Int64(share * Double(done))), total)
        }
    }
}

extension RegionStore {
    /// Finds a part of a region's map.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are no tiles, or too many.
    package func cut(_ rule: CutRule, of region: RegionSummary) throws -> RegionCut {
        try RegionCut(rule, of: region, in: map(of: region.id))
    }

    /// Reads what is needed to say how large parts of a region's map are; nil if the map has too many tiles for that.
    package func partSizes(of region: RegionSummary) throws -> MapPartSizes? {
        try MapPartSizes(of: map(of: region.id), mapSize: region.mapSize)
    }

    /// Writes a part of a region's map to a file.
    ///
    /// The bytes depend only on the tiles, so every machine with the map writes the same file.
    ///
    /// - Parameter progress: Called with the number of written bytes and the total number, both approximate.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists.
    package func export(
        _ cut: RegionCut,
        to path: String,
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try FileExport.write(to: path) { try cut.write(to: $0, progress: progress) }
    }
}
