public import FoundationEssentials
import GRDB

extension RegionStore {
    /// Writes a region's hikes, planned routes and waypoints to a GPX file.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists already,
    ///   ``RegionStoreError/Code/notFound`` if the region has none of them.
    public func exportGPX(of regionID: UUID, to path: String) throws {
        try database.read { try Self.writeGPX(of: regionID, to: path, $0) }
    }

    static func writeGPX(of regionID: UUID, to path: String, _ database: Database) throws {
        let document = GPXDocument(
            name: try summary(regionID, database).name,
            waypoints: try RegionItemRecord.fetchAll(of: regionID, database),
            plannedRoutes: try RegionItemRecord.fetchAll(of: regionID, database),
            savedRoutes: try RegionItemRecord.fetchAll(of: regionID, database)
        )
        guard !document.coordinates.isEmpty else {
            throw RegionStoreError(.notFound, "“\(document.name ?? "")” has no hikes, planned routes or waypoints.")
        }
        let data = Array(try GPXWriter().data(document))
        try FileExport.write(to: path) { (file) throws(SystemError) in
            try file.write(data)
        }
    }
}
