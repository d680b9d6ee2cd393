package import FoundationEssentials
package import MapFiles
package import PeerStorage
package import RegionModel

/// The items, tiles and photos that are shown.
extension RegionDownloads: RegionItems {
    package var photoIDs: Set<UUID> { Set((photos?.entries ?? [:]).keys) }

    @discardableResult
    package func forEachHike(_ body: (SavedRoute) throws -> Void) throws -> Int {
        if includesPersonal { try source.forEach(SavedRoutesPart(), body) }
        return 0
    }

    @discardableResult
    package func forEachPlannedRoute(_ body: (PlannedRoute) throws -> Void) throws -> Int {
        try source.forEach(PlannedRoutesPart()) { try body(includesPersonal ? $0 : $0.withoutPersonalParts()) }
        return 0
    }

    @discardableResult
    package func forEachWaypoint(_ body: (Waypoint) throws -> Void) throws -> Int {
        try source.forEach(WaypointsPart()) { try body(includesPersonal ? $0 : $0.withoutPersonalParts()) }
        return 0
    }

    package func photo(of waypointID: UUID) throws -> PhotoReader? {
        guard let photos, let entry = photos.entries[waypointID] else { return nil }
        let signature = min(entry.range.count, PhotoFormat.signatureLength)
        func read(_ range: Range<Int>) throws -> [UInt8] {
            try PhotoArchive.bytes(of: entry, range, of: photos.file, called: "The photos")
        }
        let format = PhotoFormat(beginning: try read(0..<signature))
        return format.map { PhotoReader(format: $0, size: entry.range.count, read: read) }
    }

    /// Returns the file with the photos, and where the photo of a waypoint is in it; nil if there is none.
    package func photoFile(of waypointID: UUID) -> (file: OpenFile, start: UInt64)? {
        guard let photos, let entry = photos.entries[waypointID] else { return nil }
        return (photos.file, entry.range.lowerBound)
    }

    /// Returns a tile of the map; nil if the map does not have it, or is not offered.
    ///
    /// - Throws: `RegionStoreError` if the map cannot be read.
    package func tile(_ address: TileAddress) throws -> MapTile? {
        guard let map else { return nil }
        return try MBTilesFile.tile(address, of: RegionStore.openMap(map.path, .oneTile))
    }
}
