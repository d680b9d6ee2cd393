public import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage
import RegionModel
package import TrackFiles

extension RegionStore {
    /// Imports the waypoints, routes and tracks of a file: GPX, KML, KMZ, GeoJSON, TCX or FIT.
    ///
    /// Items that the region already has are recognised: those that were exported from a store by their ids, and others by their
    /// names, positions and times. If such an item differs from that of the region, another program has edited it, and the edit
    /// is imported. Only an item that was edited in the region since the export stays as it is.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The original name of the file; nil for `path`. An item without a name is named after it.
    ///   - regionID: The region of all items; nil if each goes to the region that already has it, or else to the region on whose map it
    ///     lies: the one with most of its points. An item that has half of its points or more on no map is left out.
    ///   - preferredID: If `regionID` is nil, a region that is chosen first for items of which most points are in its area.
    /// - Returns: The region that gets most items, and the numbers of added and changed ones; other regions are in
    ///   ``GPXImport/elsewhere``, and what lies on no map is in ``GPXImport/outside``.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if the file is none of these or is empty,
    ///   `RegionStoreError.Code.notFound` if the file or the region does not exist, or no item lies on a map. After an error, no
    ///   region is changed.
    @discardableResult
    public func importGPX(
        at path: String,
        called name: String? = nil,
        into regionID: UUID? = nil,
        preferring preferredID: UUID? = nil
    ) throws -> GPXImport {
        let name = name ?? path
        let document = try TrackFileReader().read(contentsOf: path, called: name)
        return try importGPX(document, called: name, into: regionID, preferring: preferredID)
    }

    /// Adds the items of a GPX document to a region, or merges them into those that the region already has; without a region, to
    /// those to which ``importGPX(at:called:into:preferring:)`` adds them.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region, or no item lies on a map.
    @discardableResult
    package func importGPX(
        _ document: TrackDocument,
        called name: String = "The file",
        into regionID: UUID?,
        preferring preferredID: UUID? = nil
    ) throws -> GPXImport {
        let places = try places(of: document, called: name, regionID, preferring: preferredID)
        return try database.write { try add(places, $0) }
    }

    /// Returns what the import of a GPX document would do, and does not do it.
    package func expectedImport(
        of document: TrackDocument,
        called name: String = "The file",
        into regionID: UUID?
    ) throws -> GPXImport {
        let places = try places(of: document, called: name, regionID)
        var result: GPXImport?
        do {
            return try database.write { database -> GPXImport in
                result = try add(places, database)
                // An error undoes it.
                throw CancellationError()
            }
        } catch {
            guard let result else { throw error }
            return result
        }
    }

    /// The items of a document for each region, of which there is one at least.
    private struct Places {
        var first: ItemPlaces.Part
        var others: [ItemPlaces.Part] = []
        var outside: [String] = []
    }

    private func places(
        of document: TrackDocument,
        called name: String,
        _ regionID: UUID?,
        preferring preferredID: UUID? = nil
    ) throws -> Places {
        guard let regionID else {
            let known = try knownRegions(of: document)
            let places = try ItemPlaces(document, in: regions(), known: known, preferring: preferredID)
            guard let first = places.parts.first else {
                throw try outsideAllMaps(name, places, document, preferredID)
            }
            return Places(first: first, others: Array(places.parts.dropFirst()), outside: places.outside)
        }
        let region = try region(regionID)
        let points = PointPlaces(document.coordinates, in: [region])
        let part = ItemPlaces.Part(
            region: region,
            document: document,
            pointCount: points.pointCount,
            pointsInArea: points.counts.first?.count ?? 0
        )
        return Places(first: part)
    }

    private func add(_ places: Places, _ database: Database) throws -> GPXImport {
        var result = try add(places.first, database)
        result.elsewhere = try places.others.map { try add($0, database) }
        result.outside = places.outside
        return result
    }

    private func add(_ part: ItemPlaces.Part, _ database: Database) throws -> GPXImport {
        let (document, regionID) = (part.document, part.region.id)
        let region = try Self.summary(regionID, database)
        func merge<Item: EditedItem>(_ routes: [Item], _ kind: ResourceKind) throws -> MergeCounts {
            try KnownItems.add(
                routes,
                unnamed: document.unnamed,
                cut: document.cut,
                to: regionID,
                kind,
                database
            )
        }
        let hikes = try merge(document.savedRoutes, .savedroutes)
        let plannedRoutes = try merge(document.plannedRoutes, .plannedroutes)
        let waypoints = try KnownItems.add(document.waypoints, to: regionID, .waypoints, database)
        let hasZero = region.hasArea && Coordinate(latitude: 0, longitude: 0).map(region.place.contains) ?? false
        return GPXImport(
            region: try Self.summary(regionID, database),
            hikes: hikes,
            plannedRoutes: plannedRoutes,
            waypoints: waypoints,
            leftOut: document.leftOut,
            pointCount: part.pointCount,
            pointsInArea: part.pointsInArea,
            pointsAtZero: hasZero ? 0 : document.pointsAtZero,
            damage: document.damage
        )
    }

    /// Returns the regions that already have items of a document, by the ids of the items.
    private func knownRegions(of document: TrackDocument) throws -> [UUID: Set<UUID>] {
        try database.read { database in
            var regions: [UUID: Set<UUID>] = [:]
            try KnownRegions.find(document.savedRoutes, &regions, database)
            try KnownRegions.find(document.plannedRoutes, &regions, database)
            try KnownRegions.find(document.waypoints, &regions, database)
            return regions
        }
    }

    private func outsideAllMaps(
        _ name: String,
        _ places: ItemPlaces,
        _ document: TrackDocument,
        _ preferredID: UUID?
    ) throws -> RegionStoreError {
        let preferred = try preferredID.map { try region($0).name }
        let message =
            if document.pointsAtZero >= places.pointCount {
                "All positions of \(name) are 0° N, 0° E, which is what programs write if they do not know the position."
            } else if let most = places.most {
                "Only \(most.count) of the \(places.pointCount) points of \(name) are in the area of “\(most.region.name)”, and "
                    + "none of your maps has more of them."
            } else if let preferred {
                "\(name) is outside the area of “\(preferred)”, and outside all your other maps."
            } else {
                "\(name) is outside all your maps."
            }
        return RegionStoreError(
            .notFound,
            message,
            remedy: "Import the map of that area first, or choose a region for it."
        )
    }
}
