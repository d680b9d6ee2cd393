public import FoundationEssentials
import GRDB

/// What a removed region took with it.
public struct RemovalCounts: Hashable, Sendable, Codable {
    /// How many recorded hikes.
    public var hikes: Int

    /// How many planned routes.
    public var plannedRoutes: Int

    /// How many waypoints.
    public var waypoints: Int

    /// What the GPX file lacks that was written first, as in ``GPXExport/leftOut``.
    public var leftOut: [String] = []
}

extension RegionStore {
    /// Gives a region another name, which no sender's replaces.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidArgument`` for a name that is empty or too
    ///   long, ``RegionStoreError/Code/notFound`` if there is no such region.
    public func rename(_ id: UUID, to name: String) throws {
        let name = try Self.checked(name: name)
        try database.write { database in
            guard var record = try RegionRecord.fetchOne(id, database) else {
                throw RegionStoreError(.notFound, "There is no region \(id.uuidString) in this store.")
            }
            record.name = name
            record.isRenamed = true
            try record.update(database)
        }
    }

    /// Removes a region with everything that belongs to it.
    ///
    /// - Parameters:
    ///   - id: The region.
    ///   - seen: What somebody saw of the region and agreed to lose; nil if it is to go however it is.
    ///   - path: A GPX file that its hikes, planned routes and waypoints are written to first; nil for none.
    /// - Returns: How many routes and waypoints went with it.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region,
    ///   ``RegionStoreError/Code/conflict`` if the file exists already or the region is not as it was seen. Nothing is
    ///   removed then.
    @discardableResult
    public func remove(
        _ id: UUID,
        asSeen seen: RegionSummary? = nil,
        exportingItemsTo path: String? = nil
    ) throws -> RemovalCounts {
        // This is how room is made on a full disk, so it must work there.
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
            // In the same transaction, so that nothing goes that is not in the file, but for what cannot be read.
            let export = try path.map { try Self.writeGPX(of: id, to: $0, database) }
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

    static func checked(name: String) throws -> String {
        guard name.contains(where: { !$0.isWhitespace }), name.utf8.count <= ModelLimits.maximumNameLength else {
            throw RegionStoreError(
                .invalidArgument,
                "“\(name.prefix(50))” is not a valid name for a region: it is empty or longer than "
                    + "\(ModelLimits.maximumNameLength) bytes."
            )
        }
        guard !name.utf8.contains(0) else {
            throw RegionStoreError(.invalidArgument, "The name of a region cannot contain a zero character.")
        }
        return name
    }
}
