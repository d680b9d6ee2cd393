public import FoundationEssentials
import PeerProtocol

extension RegionStore {
    /// Imports a GPX file: its waypoints, routes and tracks.
    ///
    /// Items that the region has already, from an earlier import of the same file for instance, stay as they are.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: What the file is called, if it is found under another name; the name of an item may follow from it.
    ///   - regionID: The region to add to; nil for the one in whose area most of the file lies.
    /// - Returns: The region, and how many items were added.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidFile`` if the file is no GPX or has nothing
    ///   in it, ``RegionStoreError/Code/notFound`` if there is no such file or region.
    @discardableResult
    public func importGPX(
        at path: String,
        called name: String? = nil,
        into regionID: UUID? = nil
    ) throws -> GPXImport {
        let name = name ?? path
        let document = try GPXReader().read(contentsOf: path, called: name)
        if let regionID { return try importGPX(document, into: regionID) }
        guard let region = try region(for: document.coordinates) else {
            throw RegionStoreError(
                .notFound,
                "\(name) is outside all your maps.",
                remedy: "Import the map of that area first, or choose a region for it."
            )
        }
        return try importGPX(document, into: region.id)
    }

    /// Adds what a GPX file holds to a region; items that the region has already stay as they are.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region.
    @discardableResult
    package func importGPX(_ document: GPXDocument, into regionID: UUID) throws -> GPXImport {
        try database.write { database in
            _ = try Self.summary(regionID, database)
            let hikes = try RegionItemRecord.addMissing(document.savedRoutes, to: regionID, .savedroutes, database)
            let plannedRoutes = try RegionItemRecord.addMissing(
                document.plannedRoutes,
                to: regionID,
                .plannedroutes,
                database
            )
            let waypoints = try RegionItemRecord.addMissing(document.waypoints, to: regionID, .waypoints, database)
            return GPXImport(
                region: try Self.summary(regionID, database),
                hikes: hikes,
                plannedRoutes: plannedRoutes,
                waypoints: waypoints
            )
        }
    }
}

extension GPXDocument {
    /// Places that tell where everything is: of a track, its ends.
    var coordinates: [Coordinate] {
        waypoints.map(\.coordinate) + plannedRoutes.flatMap(\.coordinates) + savedRoutes.flatMap { [$0.start, $0.end] }
    }
}
