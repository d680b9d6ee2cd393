package import FoundationEssentials
import Glibc
package import MapFiles
import PeerStorage
import RegionModel

extension RegionStore {
    /// Returns a tile of a region's map; nil if the map does not have it.
    ///
    /// The map is found and opened each time, so the tile is that of the current map, also if another process replaces the map.
    ///
    /// - Throws: `RegionStoreError` if the region does not exist, or if its map cannot be read.
    package func tile(_ address: TileAddress, of regionID: UUID) throws -> MapTile? {
        try MBTilesFile.tile(address, of: map(of: regionID) { _ in .oneTile })
    }

    /// Returns the total size of the tiles of each zoom level of a region's map, in bytes.
    ///
    /// - Throws: `RegionStoreError` if the region does not exist, or if its map cannot be read.
    package func tileSizes(of regionID: UUID) throws -> [Int: UInt64] {
        try map(of: regionID).tileSizes()
    }

    /// Reads the tiles of a region's map up to a zoom level, in the order of the file.
    ///
    /// - Throws: `RegionStoreError` if the region does not exist, or if its map cannot be read; or the error of `body`.
    package func forEachTile(
        of regionID: UUID,
        upToZoom maximumZoom: Int,
        _ body: (MapTile) throws -> Void
    ) throws {
        try map(of: regionID).forEachTile(upToZoom: maximumZoom, body)
    }

    /// Returns the extent of the highest zoom level of a region's map, and the size of its tiles.
    ///
    /// - Throws: `RegionStoreError` if the region does not exist, or if its map cannot be read.
    package func raster(of regionID: UUID) throws -> MapRaster {
        let database = try map(of: regionID)
        guard let extent = try MBTilesFile.tally(of: database).extents.last else {
            throw RegionStoreError(.invalidFile, "The map has no tiles that exist in its zoom levels.")
        }
        let sql = """
            SELECT substr(tile_data, 1, \(TileImage.beginningLength)) FROM tiles
            WHERE zoom_level = \(extent.zoomLevel) LIMIT 1
            """
        let beginning = try database.withoutTemporaryIndexes {
            try database.first(sql) { $0.bytes(0, limit: TileImage.beginningLength) }
        }
        return MapRaster(extent, tileBeginningWith: beginning ?? [])
    }

    /// Opens the map of a region.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - limits: Returns the limits on all queries together for a size in bytes.
    /// - Returns: The open map.
    /// - Throws: `RegionStoreError`.
    private func map(
        of regionID: UUID,
        _ limits: (_ size: UInt64) -> CheckLimits = CheckLimits.receiving
    ) throws -> UntrustedDatabase {
        let file = try database.read { try KnownFile.fetchOne(.mbtiles, of: regionID, $0) }
        guard let file else {
            throw RegionStoreError(.notFound, "There is no region \(regionID.uuidString) in this store.")
        }
        // The lock prevents the removal of the file before it is open. An open file stays readable.
        return try folders.withSharedLock {
            _ = try folders.open(file)
            return try Self.openMap(folders.path(of: file), limits(file.size))
        }
    }

    /// Opens a map of the store, or one that a source holds.
    static func openMap(_ path: String, _ limits: CheckLimits) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, called: "The map", for: .read, within: limits)
    }
}
