public import FoundationEssentials
import GRDB
import PeerStorage

/// The result of an export to a GPX file.
public struct GPXExport: Hashable, Sendable {
    /// Short descriptions of the items and tracks that are missing in the file, because the store cannot read them.
    public var leftOut: [String] = []
}

extension RegionStore {
    /// Writes a region's hikes, planned routes and waypoints to a GPX file.
    ///
    /// Items that cannot be read are left out. A hike whose track cannot be read is written with its two ends.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - path: The path of the new file.
    /// - Returns: The items that were left out.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists,
    ///   ``RegionStoreError/Code/notFound`` if the region does not exist or has no items.
    @discardableResult
    public func exportGPX(of regionID: UUID, to path: String) throws -> GPXExport {
        try database.read { try writeGPX(of: regionID, to: path, $0) }
    }

    func writeGPX(of regionID: UUID, to path: String, _ database: Database) throws -> GPXExport {
        let name = try Self.summary(regionID, database).name
        var (hikes, unreadable) = try RegionItemRecord<SavedRoute>.fetchReadable(of: regionID, database)
        let plannedRoutes = try RegionItemRecord<PlannedRoute>.fetchReadable(of: regionID, database)
        let waypoints = try RegionItemRecord<Waypoint>.fetchReadable(of: regionID, database)
        unreadable += plannedRoutes.unreadable + waypoints.unreadable
        for index in hikes.indices where (try? TrackCodec.check(hikes[index].trackData)) == nil {
            unreadable.append("the track of the hike “\(hikes[index].name)”")
            hikes[index].trackData = Data()
        }
        guard !(hikes.isEmpty && plannedRoutes.items.isEmpty && waypoints.items.isEmpty && unreadable.isEmpty) else {
            throw RegionStoreError(.notFound, "“\(name)” has no hikes, planned routes or waypoints.")
        }
        let document = GPXDocument(
            name: name,
            waypoints: waypoints.items,
            plannedRoutes: plannedRoutes.items,
            savedRoutes: hikes
        )
        let data = Array(try GPXWriter(creator: application).data(document))
        try FileExport.write(to: path) { (file) throws(SystemError) in
            try file.write(data)
        }
        return GPXExport(leftOut: unreadable)
    }
}
