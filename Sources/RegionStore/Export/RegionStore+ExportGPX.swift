public import FoundationEssentials
import GRDB
import PeerStorage
import RegionModel
import TrackFiles

/// The result of an export to a GPX file.
///
/// ```swift
/// let exported = try store.exportGPX(of: region.id, to: "coma-pedrosa.gpx")
/// for item in exported.leftOut { print("Cannot be read: \(item)") }
/// ```
public struct GPXExport: Hashable, Sendable {
    /// Short descriptions of the items and tracks that are missing in the file, because the store cannot read them.
    public var leftOut: [String] = []
}

/// An item of a GPX file.
enum GPXItem {
    case waypoint(Waypoint)
    case plannedRoute(PlannedRoute)
    case hike(SavedRoute)
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
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists,
    ///   `RegionStoreError.Code.notFound` if the region does not exist or has no items.
    @discardableResult
    public func exportGPX(of regionID: UUID, to path: String) throws -> GPXExport {
        try database.read { GPXExport(leftOut: try exportGPX(of: regionID, to: path, $0)) }
    }

    /// Returns short descriptions of the items and tracks of a region that the store cannot read, so that a GPX file lacks them.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
    public func unreadableItems(of regionID: UUID) throws -> [String] {
        try database.read { try Self.forEachGPXItem(of: regionID, $0) { _ in } }
    }

    /// Writes the file; returns what was left out.
    func exportGPX(of regionID: UUID, to path: String, _ database: Database) throws -> [String] {
        let region = try Self.summary(regionID, database)
        guard region.hikeCount + region.plannedRouteCount + region.waypointCount > 0 else {
            throw RegionStoreError(.notFound, "“\(region.name)” has no hikes, planned routes or waypoints.")
        }
        var leftOut: [String] = []
        try FileExport.write(to: path, folders.root.faults) { file in
            var writer = GPXWriter(to: file, name: region.name, creator: application)
            leftOut = try Self.forEachGPXItem(of: regionID, database) { try writer.write($0) }
            try writer.finish()
        }
        return leftOut
    }

    /// Writes the items of a region with a writer; returns what was left out, because it cannot be read.
    ///
    /// - Parameter check: Called before each item; its error ends the work.
    func write(_ regionID: UUID, to writer: inout GPXWriter, check: () throws -> Void) throws -> [String] {
        try database.read { database in
            try Self.forEachGPXItem(of: regionID, database) { item in
                try check()
                try writer.write(item)
            }
        }
    }

    /// Reads the items of a region one by one, in the order of a GPX file.
    ///
    /// A hike whose track cannot be read comes without it.
    ///
    /// - Returns: Short descriptions of the items and tracks that cannot be read.
    static func forEachGPXItem(
        of regionID: UUID,
        _ database: Database,
        _ body: (GPXItem) throws -> Void
    ) throws -> [String] {
        var unreadable = try RegionItemRecord<Waypoint>.forEachReadable(of: regionID, database) {
            try body(.waypoint($0))
        }
        // Routes (`rte`) come before tracks (`trk`).
        unreadable += try RegionItemRecord<PlannedRoute>.forEachReadable(of: regionID, database) { route in
            if !route.isTrack { try body(.plannedRoute(route)) }
        }
        _ = try RegionItemRecord<PlannedRoute>.forEachReadable(of: regionID, database) { route in
            if route.isTrack { try body(.plannedRoute(route)) }
        }
        var tracks: [String] = []
        unreadable += try RegionItemRecord<SavedRoute>.forEachReadable(of: regionID, database) { hike in
            var hike = hike
            if (try? TrackCodec.check(hike.trackData)) == nil {
                tracks.append("the track of the hike “\(hike.name)”")
                hike.trackData = Data()
            }
            try body(.hike(hike))
        }
        return unreadable + tracks
    }
}

extension GPXWriter {
    /// Writes an item.
    ///
    /// - Throws: `RegionStoreError` if the track of a hike cannot be read; or the error of the output.
    mutating func write(_ item: GPXItem) throws {
        switch item {
        case .waypoint(let waypoint): try write(waypoint)
        case .plannedRoute(let route): try write(route)
        case .hike(let hike): try write(hike)
        }
    }
}
