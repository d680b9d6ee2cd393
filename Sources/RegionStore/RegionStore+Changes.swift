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
    /// - Returns: How many routes and waypoints went with it.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region.
    @discardableResult
    public func remove(_ id: UUID) throws -> RemovalCounts {
        let counts = try database.write { database in
            let summary = try Self.summary(id, database)
            try RegionRecord.deleteOne(database, key: id.uuidString)
            return RemovalCounts(
                hikes: summary.hikeCount,
                plannedRoutes: summary.plannedRouteCount,
                waypoints: summary.waypointCount
            )
        }
        collect()
        database.shrink()
        return counts
    }

    static func checked(name: String) throws -> String {
        guard name.contains(where: { !$0.isWhitespace }), name.utf8.count <= ModelLimits.maximumNameLength else {
            throw RegionStoreError(
                .invalidArgument,
                "“\(name.prefix(50))” is no name for a region: it is empty or longer than "
                    + "\(ModelLimits.maximumNameLength) bytes."
            )
        }
        return name
    }
}
