public import FoundationEssentials
import GRDB
import PeerStorage

/// The result of removing a region.
public struct RemovalCounts: Hashable, Sendable, Codable {
    /// The number of removed hikes.
    public var hikes: Int

    /// The number of removed planned routes.
    public var plannedRoutes: Int

    /// The number of removed waypoints.
    public var waypoints: Int

    /// The items that the GPX file does not contain, as in ``GPXExport/leftOut``.
    public var leftOut: [String] = []
}

extension RegionStore {
    /// Renames a region.
    ///
    /// A name that a sender uses does not replace it later.
    ///
    /// - Parameters:
    ///   - id: The region.
    ///   - name: The new name.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidArgument`` for a name that is empty or too
    ///   long, ``RegionStoreError/Code/notFound`` if there is no such region.
    public func rename(_ id: UUID, to name: String) throws {
        let name = try Self.checked(name: name)
        try database.write { database in
            guard var record = try RegionRecord.fetchOne(id, database) else {
                throw RegionStoreError(.notFound, "There is no region \(id.uuidString) in this store.")
            }
            record.name = name
            try record.update(database)
        }
    }

    /// Removes a region with all its files and items.
    ///
    /// - Parameters:
    ///   - id: The region.
    ///   - seen: The state of the region that a person has agreed to remove; nil for any state.
    ///   - path: The path of a GPX file to which the hikes, planned routes and waypoints are written first; nil for none.
    /// - Returns: The numbers of removed items.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region,
    ///   ``RegionStoreError/Code/conflict`` if the file exists or the region differs from `seen`. After an error, nothing is
    ///   removed.
    @discardableResult
    public func remove(
        _ id: UUID,
        asSeen seen: RegionSummary? = nil,
        exportingItemsTo path: String? = nil
    ) throws -> RemovalCounts {
        // Removing must work on a full disk.
        folders.spendReserve()
        let counts = try database.write(isSparing: true) { database in
            let summary = try Self.summary(id, database)
            guard seen == nil || seen == summary else {
                throw RegionStoreError(
                    .conflict,
                    "“\(summary.name)” changed in the meantime and was not removed.",
                    remedy: "Check what would be removed now, then try again."
                )
            }
            // In the same transaction, so that every readable item that is removed is in the file.
            let export = try path.map { try writeGPX(of: id, to: $0, database) }
            try RegionRecord.deleteOne(database, key: id.uuidString)
            return RemovalCounts(
                hikes: summary.hikeCount,
                plannedRoutes: summary.plannedRouteCount,
                waypoints: summary.waypointCount,
                leftOut: export?.leftOut ?? []
            )
        }
        collectGarbage()
        database.shrink()
        return counts
    }

    static func checked(name: String, ofA noun: String = "region") throws -> String {
        guard name.contains(where: { !$0.isWhitespace }), name.utf8.count <= ModelLimits.maximumNameLength else {
            throw RegionStoreError(
                .invalidArgument,
                "“\(name.prefix(50))” is not a valid name for a \(noun): it is empty or longer than "
                    + "\(ModelLimits.maximumNameLength) bytes."
            )
        }
        guard !name.utf8.contains(0) else {
            throw RegionStoreError(.invalidArgument, "The name of a \(noun) cannot contain a zero character.")
        }
        return name
    }
}
