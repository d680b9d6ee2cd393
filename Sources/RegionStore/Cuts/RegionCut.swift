import FoundationEssentials
import MapFiles
import PeerStorage
package import RegionModel

/// A part of a region's map, found but not yet written.
///
/// Only one thread may use it at a time.
package struct RegionCut {
    private let cut: MapCut
    private let map: UntrustedDatabase
    private let mapSize: UInt64
    private let mapTileCount: Int

    /// What it is a part of.
    package let description: CutDescription

    /// Whether it has all tiles of the map, so that it is no part.
    package let isWhole: Bool

    /// The number of tiles.
    package var tileCount: Int { cut.tileCount }

    /// Finds a part of an open map.
    ///
    /// - Parameters:
    ///   - wish: What is wanted.
    ///   - region: The region of the map.
    ///   - map: The map.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are no tiles, or too many.
    init(_ wish: CutWish, of region: RegionSummary, in map: UntrustedDatabase) throws {
        do {
            cut = try MapCut(wish.rule, of: map)
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
        self.map = map
        (mapSize, mapTileCount) = (region.mapSize, cut.wholeTileCount)
        isWhole = cut.tileCount == cut.wholeTileCount
        var part = wish.description(wholeTileCount: cut.wholeTileCount, wholeSize: region.mapSize)
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
    func forEachTile(_ body: (MapTile) throws -> Void) throws {
        try cut.forEachTile(of: map, body)
    }

    /// Writes the part to an empty file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - check: Called with the length of each piece before it is written.
    ///   - progress: Called with the number of written bytes and the total number, both approximate.
    /// - Throws: `RegionStoreError` if the map cannot be read; `SystemError` if the file cannot be written.
    func write(
        to file: OpenFile,
        check: @escaping WriteCheck = { _ in },
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        let share = Double(mapSize) / Double(max(1, mapTileCount))
        let total = Int64(share * Double(tileCount))
        try cut.write(from: map, to: file, check: check) { done in
            progress(min(total, Int64(share * Double(done))), total)
        }
    }
}

extension RegionStore {
    /// Finds a part of a region's map.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are no tiles, or too many.
    package func cut(_ wish: CutWish, of region: RegionSummary) throws -> RegionCut {
        try RegionCut(wish, of: region, in: map(of: region.id))
    }

    /// Writes a part of a region's map to a file.
    ///
    /// The bytes depend only on the tiles, so every machine with the map writes the same file.
    ///
    /// - Parameters:
    ///   - cut: The part.
    ///   - path: The path of the new file.
    ///   - progress: Called with the number of written bytes and the total number, both approximate.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists.
    package func export(
        _ cut: RegionCut,
        to path: String,
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try FileExport.write(to: path) { try cut.write(to: $0, progress: progress) }
    }
}
