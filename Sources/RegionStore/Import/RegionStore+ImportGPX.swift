public import FoundationEssentials
import PeerProtocol

extension RegionStore {
    /// Imports the waypoints, routes and tracks of a GPX file.
    ///
    /// Items that the region already has, for instance from an earlier import of the file, do not change.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The original name of the file; nil for `path`. An item without a name is named after it.
    ///   - regionID: The region of the items; nil for the region whose area contains most of them.
    /// - Returns: The region, and the numbers of added items.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidFile`` if the file is not a GPX file or is empty,
    ///   ``RegionStoreError/Code/notFound`` if the file or the region does not exist.
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

    /// Adds the items of a GPX document to a region.
    ///
    /// Items that the region already has do not change.
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
    /// The coordinates of all items; only the two ends of a track.
    var coordinates: [Coordinate] {
        waypoints.map(\.coordinate) + plannedRoutes.flatMap(\.coordinates) + savedRoutes.flatMap { [$0.start, $0.end] }
    }
}
