package import FoundationEssentials
import GRDB

/// A region with its items, read in one transaction.
package struct RegionContent: Sendable {
    /// The region.
    package var region: RegionSummary
    /// The recorded hikes, the oldest first.
    package var hikes: [SavedRoute]
    /// The planned routes, the oldest first.
    package var plannedRoutes: [PlannedRoute]
    /// The waypoints, the oldest first.
    package var waypoints: [Waypoint]
    /// The descriptions of the photos.
    package var photos: [Photo]
    /// Short descriptions of the items that the store cannot read.
    package var unreadable: [String]
}

extension RegionStore {
    /// Returns a region with all items that can be read.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region.
    package func content(of regionID: UUID) throws -> RegionContent {
        try database.read { database in
            let hikes = try RegionItemRecord<SavedRoute>.fetchReadable(of: regionID, database)
            let plannedRoutes = try RegionItemRecord<PlannedRoute>.fetchReadable(of: regionID, database)
            let waypoints = try RegionItemRecord<Waypoint>.fetchReadable(of: regionID, database)
            return RegionContent(
                region: try Self.summary(regionID, database),
                hikes: hikes.items,
                plannedRoutes: plannedRoutes.items,
                waypoints: waypoints.items,
                photos: try PhotoRecord.summaries(of: regionID, database),
                unreadable: hikes.unreadable + plannedRoutes.unreadable + waypoints.unreadable
            )
        }
    }

    /// Returns the photo of a waypoint with its format; nil if the store has none.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/storage`` if the store cannot be read.
    package func photo(of waypointID: UUID, in regionID: UUID) throws -> (format: PhotoFormat, data: [UInt8])? {
        let record = try database.read { try PhotoRecord.fetchOne(of: waypointID, in: regionID, $0) }
        guard let data = record?.data, let format = PhotoFormat(beginning: data) else { return nil }
        return (format, Array(data))
    }
}
