public import FoundationEssentials
import GRDB

/// What became of an export to GPX.
public struct GPXExport: Hashable, Sendable {
    /// What the file lacks because the store cannot read it, each as a few words: the track of a hike, or a whole item.
    public var leftOut: [String] = []
}

extension RegionStore {
    /// Writes a region's hikes, planned routes and waypoints to a GPX file.
    ///
    /// An item that cannot be read is left out. A hike whose track cannot be read is written with its two ends.
    ///
    /// - Returns: What was left out.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists already,
    ///   ``RegionStoreError/Code/notFound`` if the region has none of them.
    @discardableResult
    public func exportGPX(of regionID: UUID, to path: String) throws -> GPXExport {
        try database.read { try Self.writeGPX(of: regionID, to: path, $0) }
    }

    static func writeGPX(of regionID: UUID, to path: String, _ database: Database) throws -> GPXExport {
        let name = try summary(regionID, database).name
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
        let data = Array(try GPXWriter().data(document))
        try FileExport.write(to: path) { (file) throws(SystemError) in
            try file.write(data)
        }
        return GPXExport(leftOut: unreadable)
    }
}
