package import FoundationEssentials
import GRDB
import PeerProtocol
package import RegionModel

/// A waypoint that was just added.
package struct AddedWaypoint: Hashable, Sendable {
    /// The region, with the waypoint.
    package var region: RegionSummary

    package var waypoint: Waypoint

    /// Whether the waypoint is inside the area of the map.
    package var isInsideMap: Bool
}

extension RegionStore {
    /// Renames an item of a region.
    ///
    /// This is an edit: the new name goes to other machines with the item, unless a later edit replaces it.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` for a name that is empty or too long,
    ///   `RegionStoreError.Code.conflict` if the item was removed in the meantime.
    package func rename(_ item: ItemDescription, of regionID: UUID, to name: String) throws {
        let (kind, name) = (item.kind, try Self.checked(name: name, ofA: item.kind.noun))
        guard name != item.name else { return }
        try database.write { database in
            let latest = try Self.latestEdit(of: item, regionID, database)
            try database.execute(
                sql: """
                    UPDATE \(kind.tableName) SET \(kind.nameColumn) = ?, modifiedAt = ? WHERE regionID = ? AND id = ?
                    """,
                arguments: [
                    name, Self.seconds(MergeClock.next(after: latest)), regionID.uuidString, item.id.uuidString,
                ]
            )
            try Self.checkLimits(kind, of: regionID, database)
        }
    }

    /// Removes an item of a region; a waypoint with its photo.
    ///
    /// The store records the removal, so that an older copy of the item from another machine does not bring it back. Other
    /// machines keep the item.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the item changed in the meantime; nothing is
    ///   removed then.
    package func remove(_ item: ItemDescription, of regionID: UUID) throws {
        // Removing must work on a full disk.
        folders.spendReserve()
        try database.write(isSparing: true) { database in
            let latest = try Self.latestEdit(of: item, regionID, database)
            let now = try ItemDescription.fetchOne(item.id, item.kind, of: regionID, database)
            guard let now, now.name == item.name, now.coordinate == item.coordinate else { throw Self.changed(item) }
            try Self.removeItem(item.id, item.kind, of: regionID, editedAt: latest, database)
        }
        folders.keepReserve()
        database.shrink()
    }

    /// Removes the row of an item and records the removal.
    static func removeItem(
        _ id: UUID,
        _ kind: ItemKind,
        of regionID: UUID,
        editedAt: Date,
        _ database: Database
    ) throws {
        try database.execute(
            sql: "DELETE FROM \(kind.tableName) WHERE regionID = ? AND id = ?",
            arguments: [regionID.uuidString, id.uuidString]
        )
        try RemovedItem.note(id, kind.tableName, of: regionID, at: MergeClock.next(after: editedAt), database)
    }

    /// Adds a waypoint to a region.
    ///
    /// - Parameter note: A longer text; possibly empty.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` for a text that is too long or an empty
    ///   name, `RegionStoreError.Code.notFound` if there is no such region.
    package func addWaypoint(
        named name: String,
        at coordinate: Coordinate,
        category: WaypointCategory = .custom,
        note: String = "",
        to regionID: UUID
    ) throws -> AddedWaypoint {
        guard note.utf8.count <= ModelLimits.maximumTextLength, !note.utf8.contains(0) else {
            throw RegionStoreError(
                .invalidArgument,
                "The note is longer than \(ModelLimits.maximumTextLength) bytes, or contains a zero character.",
                remedy: "Shorten the note."
            )
        }
        let waypoint = Waypoint(
            id: UUID(),
            coordinate: coordinate,
            time: Date(timeIntervalSince1970: Self.seconds(Date())),
            label: try Self.checked(name: name, ofA: ItemKind.waypoint.noun),
            note: note,
            category: category
        )
        return try database.write { database in
            let region = try Self.summary(regionID, database)
            try RegionItemRecord(regionID: regionID, item: waypoint).insert(database)
            try Self.checkLimits(.waypoint, of: regionID, database)
            return AddedWaypoint(
                region: try Self.summary(regionID, database),
                waypoint: waypoint,
                isInsideMap: region.place.contains(coordinate)
            )
        }
    }

    /// Adds a planned route to a region, such as one that was planned on its routing database.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` for a name or a route that cannot be sent, such as one
    ///   with too many points; `RegionStoreError.Code.notFound` if there is no such region.
    package func addPlannedRoute(_ route: PlannedRoute, to regionID: UUID) throws -> PlannedRoute {
        var route = route.belonging(to: regionID)
        route.name = try Self.checked(name: route.name, ofA: ItemKind.plannedRoute.noun)
        route.createdAt = Date(timeIntervalSince1970: Self.seconds(route.createdAt))
        do {
            // What other machines would refuse is not stored.
            route = try JSONDecoder().decode(PlannedRoute.self, from: JSONEncoder().encode(route))
        } catch {
            throw RegionStoreError(
                .invalidArgument,
                "The route “\(route.name)” is too long to be stored.",
                remedy: "Plan it in several parts.",
                cause: error
            )
        }
        let added = route
        try database.write { database in
            _ = try Self.summary(regionID, database)
            try RegionItemRecord(regionID: regionID, item: added).insert(database)
            try Self.checkLimits(.plannedRoute, of: regionID, database)
        }
        return added
    }

    private static func latestEdit(of item: ItemDescription, _ regionID: UUID, _ database: Database) throws -> Date {
        let kind = item.kind
        let sql = "SELECT coalesce(modifiedAt, \(kind.timeColumn)) FROM \(kind.tableName) WHERE regionID = ? AND id = ?"
        let seconds = try Double.fetchOne(
            database,
            sql: sql,
            arguments: [regionID.uuidString, item.id.uuidString]
        )
        guard let seconds else { throw changed(item) }
        return Date(timeIntervalSince1970: seconds)
    }

    private static func changed(_ item: ItemDescription) -> RegionStoreError {
        RegionStoreError(
            .conflict,
            "The \(item.kind.noun) “\(item.name)” changed or was removed in the meantime.",
            remedy: "Check the region, then try again."
        )
    }

    private static func checkLimits(_ kind: ItemKind, of regionID: UUID, _ database: Database) throws {
        switch kind {
        case .hike: try ItemLimits.check(SavedRoute.self, of: regionID, kind.resourceKind, database)
        case .plannedRoute: try ItemLimits.check(PlannedRoute.self, of: regionID, kind.resourceKind, database)
        case .waypoint: try ItemLimits.check(Waypoint.self, of: regionID, kind.resourceKind, database)
        }
    }

    /// Times are stored in whole seconds.
    private static func seconds(_ date: Date) -> Double { date.timeIntervalSince1970.rounded(.down) }
}
