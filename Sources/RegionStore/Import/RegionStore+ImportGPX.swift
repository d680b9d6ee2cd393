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
        if let regionID { return try importGPX(document, into: regionID) }
        let places = try ItemPlaces(document, in: regions(), known: knownRegions(of: document), preferring: preferredID)
        guard !places.parts.isEmpty else { throw try outsideAllMaps(name, places, document, preferredID) }
        return try database.write { database in
            let results = try places.parts.map { part in try add(part, database) }
            guard var result = results.first else {
                throw RegionStoreError(.notFound, "\(name) is outside all your maps.")
            }
            result.elsewhere = Array(results.dropFirst())
            result.outside = places.outside
            return result
        }
    }

    /// Adds the items of a GPX document to a region, or merges them into those that the region already has.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region.
    @discardableResult
    package func importGPX(_ document: GPXDocument, into regionID: UUID) throws -> GPXImport {
        let part = try part(document, regionID)
        return try database.write { try add(part, $0) }
    }

    private func part(_ document: GPXDocument, _ regionID: UUID) throws -> ItemPlaces.Part {
        let region = try region(regionID)
        let places = PointPlaces(document.coordinates, in: [region])
        return ItemPlaces.Part(
            region: region,
            document: document,
            pointCount: places.pointCount,
            pointsInArea: places.counts.first?.count ?? 0
        )
    }

    /// Returns what the import of a GPX document would do, and does not do it.
    ///
    /// - Throws: The errors of the import.
    package func expectedImport(of document: GPXDocument, into regionID: UUID) throws -> GPXImport {
        let part = try part(document, regionID)
        var result: GPXImport?
        do {
            return try database.write { database -> GPXImport in
                result = try add(part, database)
                // An error undoes it.
                throw CancellationError()
            }
        } catch {
            guard let result else { throw error }
            return result
        }
    }

    private func add(_ part: ItemPlaces.Part, _ database: Database) throws -> GPXImport {
        let (document, regionID) = (part.document, part.region.id)
        let region = try Self.summary(regionID, database)
        let (unnamed, cut) = (document.unnamed, document.cut)
        let hikes = try KnownItems.add(
            document.savedRoutes,
            unnamed: unnamed,
            cut: cut,
            to: regionID,
            .savedroutes,
            database
        )
        let plannedRoutes = try KnownItems.add(
            document.plannedRoutes,
            unnamed: unnamed,
            cut: cut,
            to: regionID,
            .plannedroutes,
            database
        )
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
    private func knownRegions(of document: GPXDocument) throws -> [UUID: Set<UUID>] {
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
        _ document: GPXDocument,
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

/// The result of the import of a GPX file.
public struct GPXImport: Hashable, Sendable {
    /// The region, with the imported items.
    public var region: RegionSummary

    /// The numbers of hikes, which are the tracks of the file with times.
    public var hikes: MergeCounts

    /// The numbers of planned routes, which are the routes of the file and its tracks without times.
    public var plannedRoutes: MergeCounts

    /// The numbers of waypoints.
    public var waypoints: MergeCounts

    /// Short descriptions of what the file has and the store does not keep, such as `1 track or route without points`.
    public var leftOut: [String] = []

    /// The number of points of the file, those of waypoints, routes and tracks together.
    public var pointCount = 0

    /// The number of points in the area of the region.
    public var pointsInArea = 0

    /// The number of points at 0° N, 0° E outside the area of the region.
    ///
    /// Programs put points there whose position they do not know.
    public var pointsAtZero = 0

    /// What is wrong with the file, of which a part may be missing; nil if it is whole.
    package var damage: TrackFileDamage?

    /// The results for other regions on whose maps items of the file lie.
    public var elsewhere: [GPXImport] = []

    /// The names of the items that were left out because they lie on no map.
    public var outside: [String] = []

    /// Whether most of the points are outside the area of the region.
    public var isOutsideArea: Bool { region.hasArea && pointsInArea * 2 <= pointCount }
}
