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
    ///   - regionID: The region of the items; nil for the region that already has items of the file, or else the region whose
    ///     area contains most of the points.
    ///   - preferredID: If `regionID` is nil, a region that is chosen first if its area contains most of the points.
    /// - Returns: The region, and the numbers of added and changed items.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if the file is none of these or is empty,
    ///   `RegionStoreError.Code.notFound` if the file or the region does not exist, or no region has the area of the points.
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
        let places = try PointPlaces(document.coordinates, in: regions())
        if let preferredID, places.isMostly(in: preferredID) { return try importGPX(document, into: preferredID) }
        guard let region = try knownRegion(of: document) ?? places.region?.id else {
            throw try outsideAllMaps(name, places, preferredID)
        }
        return try importGPX(document, into: region)
    }

    /// Adds the items of a GPX document to a region, or merges them into those that the region already has.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region.
    @discardableResult
    package func importGPX(_ document: GPXDocument, into regionID: UUID) throws -> GPXImport {
        let places = try PointPlaces(document.coordinates, in: [region(regionID)])
        return try database.write { try add(document, to: regionID, places, $0) }
    }

    /// Returns what the import of a GPX document would do, and does not do it.
    ///
    /// - Throws: The errors of the import.
    package func expectedImport(of document: GPXDocument, into regionID: UUID) throws -> GPXImport {
        let places = try PointPlaces(document.coordinates, in: [region(regionID)])
        var result: GPXImport?
        do {
            return try database.write { database -> GPXImport in
                result = try add(document, to: regionID, places, database)
                // An error undoes it.
                throw CancellationError()
            }
        } catch {
            guard let result else { throw error }
            return result
        }
    }

    private func add(
        _ document: GPXDocument,
        to regionID: UUID,
        _ places: PointPlaces,
        _ database: Database
    ) throws -> GPXImport {
        let region = try Self.summary(regionID, database)
        let unnamed = document.unnamed
        let hikes = try KnownItems.add(document.savedRoutes, unnamed: unnamed, to: regionID, .savedroutes, database)
        let plannedRoutes = try KnownItems.add(
            document.plannedRoutes,
            unnamed: unnamed,
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
            pointCount: places.pointCount,
            pointsInArea: places.counts.first?.count ?? 0,
            pointsAtZero: hasZero ? 0 : document.pointsAtZero
        )
    }

    /// Returns the region that already has most of the items of a document; nil if no region has any.
    private func knownRegion(of document: GPXDocument) throws -> UUID? {
        try database.read { database in
            var counts: [UUID: Int] = [:]
            try KnownRegions.count(document.savedRoutes, &counts, database)
            try KnownRegions.count(document.plannedRoutes, &counts, database)
            try KnownRegions.count(document.waypoints, &counts, database)
            return counts.max { ($0.value, $1.key.uuidString) < ($1.value, $0.key.uuidString) }?.key
        }
    }

    private func outsideAllMaps(_ name: String, _ places: PointPlaces, _ preferredID: UUID?) throws -> RegionStoreError
    {
        let preferred = try preferredID.map { try region($0).name }
        let message =
            if let most = places.most {
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

    /// Whether most of the points are outside the area of the region.
    public var isOutsideArea: Bool { region.hasArea && pointsInArea * 2 <= pointCount }
}
