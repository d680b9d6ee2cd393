public import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage

extension RegionStore {
    /// Imports the waypoints, routes and tracks of a GPX file.
    ///
    /// Items that the region already has do not change: those that were exported from a store, by their ids, and others by their
    /// names, positions and times.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The original name of the file; nil for `path`. An item without a name is named after it.
    ///   - regionID: The region of the items; nil for the region that already has items of the file, or else the region whose
    ///     area contains most of them.
    ///   - preferredID: If `regionID` is nil, a region that is chosen first if its area contains most of the items.
    /// - Returns: The region, and the numbers of added items.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidFile`` if the file is not a GPX file or is empty,
    ///   ``RegionStoreError/Code/notFound`` if the file or the region does not exist, or no region has the area of the items.
    @discardableResult
    public func importGPX(
        at path: String,
        called name: String? = nil,
        into regionID: UUID? = nil,
        preferring preferredID: UUID? = nil
    ) throws -> GPXImport {
        let name = name ?? path
        let document = try GPXReader().read(contentsOf: path, called: name)
        if let regionID { return try importGPX(document, into: regionID) }
        guard let region = try region(for: document, preferring: preferredID) else {
            let preferred = try preferredID.map { try region($0).name }
            throw RegionStoreError(
                .notFound,
                preferred.map { "\(name) is outside the area of “\($0)”, and outside all your other maps." }
                    ?? "\(name) is outside all your maps.",
                remedy: "Import the map of that area first, or choose a region for it."
            )
        }
        return try importGPX(document, into: region)
    }

    /// Adds the items of a GPX document to a region.
    ///
    /// Items that the region already has do not change.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region.
    @discardableResult
    package func importGPX(_ document: GPXDocument, into regionID: UUID) throws -> GPXImport {
        try database.write { database in
            let region = try Self.summary(regionID, database)
            let hikes = try KnownItems.add(document.savedRoutes, to: regionID, .savedroutes, database)
            let plannedRoutes = try KnownItems.add(document.plannedRoutes, to: regionID, .plannedroutes, database)
            let waypoints = try KnownItems.add(document.waypoints, to: regionID, .waypoints, database)
            let coordinates = document.coordinates
            return GPXImport(
                region: try Self.summary(regionID, database),
                hikes: hikes,
                plannedRoutes: plannedRoutes,
                waypoints: waypoints,
                leftOut: document.leftOut,
                isOutsideArea: !region.boundingBox.containsMost(of: coordinates)
            )
        }
    }

    /// Returns the region to which the items of a document belong; nil if there is none.
    private func region(for document: GPXDocument, preferring preferredID: UUID?) throws -> UUID? {
        let coordinates = document.coordinates
        if let preferredID, try region(preferredID).boundingBox.containsMost(of: coordinates) { return preferredID }
        let known = try database.read { database in
            var counts: [UUID: Int] = [:]
            try KnownItems.countRegions(of: document.savedRoutes, &counts, database)
            try KnownItems.countRegions(of: document.plannedRoutes, &counts, database)
            try KnownItems.countRegions(of: document.waypoints, &counts, database)
            return counts.max { ($0.value, $1.key.uuidString) < ($1.value, $0.key.uuidString) }?.key
        }
        if let known { return known }
        return try region(for: coordinates)?.id
    }
}

extension BoundingBox {
    /// Returns whether more than half of the coordinates are in the box.
    func containsMost(of coordinates: [Coordinate]) -> Bool {
        coordinates.count { contains($0) } > coordinates.count / 2
    }
}

extension GPXDocument {
    /// The coordinates of all items; only the two ends of a track.
    var coordinates: [Coordinate] {
        waypoints.map(\.coordinate) + plannedRoutes.flatMap(\.coordinates) + savedRoutes.flatMap { [$0.start, $0.end] }
    }
}
