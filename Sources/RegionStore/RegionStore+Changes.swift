public import FoundationEssentials
import GRDB
import Glibc
import PeerStorage
import RegionModel

/// The cause of the error if a region was not removed, because a GPX file would lack some of its items.
public struct IncompleteExport: Error, Sendable {
    /// The maximum number of items that the message lists.
    static let maximumListCount = 20
}

/// The result of removing a region.
///
/// ```swift
/// let removed = try store.remove(region.id, asSeen: region)
/// print("Removed \(region.name) with \(removed.hikes) hikes and \(removed.waypoints) waypoints.")
/// ```
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
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` for a name that is empty or too
    ///   long, `RegionStoreError.Code.notFound` if there is no such region.
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
    /// - Returns: The numbers of removed items.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region,
    ///   `RegionStoreError.Code.conflict` if it differs from `seen`. After an error, nothing is removed.
    @discardableResult
    public func remove(_ id: UUID, asSeen seen: RegionSummary? = nil) throws -> RemovalCounts {
        try remove(id) { summary, _ in seen == nil || seen == summary }
    }

    /// Removes a region with all its files and items, if nothing of them has changed since a person has agreed to that.
    ///
    /// - Parameter mark: The state that the person has seen (``RegionVersion/mark``).
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region,
    ///   `RegionStoreError.Code.conflict` if it has changed. After an error, nothing is removed.
    package func remove(_ id: UUID, asMarked mark: String) throws -> RemovalCounts {
        try remove(id) { try RegionVersion($0, $1).mark == mark }
    }

    /// Writes the hikes, planned routes and waypoints of a region to a GPX file, then removes the region with all its files and
    /// items.
    ///
    /// Other processes can change the store while the file is written. If they change this region, it is not removed.
    ///
    /// - Parameters:
    ///   - id: The region.
    ///   - seen: The state of the region that a person has agreed to remove; nil for any state.
    ///   - path: The path of the new file.
    ///   - losing: The items that a person has agreed to lose, because the store cannot read them; see ``unreadableItems(of:)``.
    /// - Returns: The numbers of removed items.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region, or it has no items;
    ///   `RegionStoreError.Code.conflict` if the file exists, if the region differs from `seen`, or if the file lacks others than
    ///   the items of `losing` (the cause is an ``IncompleteExport``). After an error, nothing is removed.
    @discardableResult
    public func remove(
        _ id: UUID,
        asSeen seen: RegionSummary? = nil,
        exportingItemsTo path: String,
        losing: [String] = []
    ) throws -> RemovalCounts {
        let (summary, rows, leftOut) = try database.read { database in
            let summary = try Self.summary(id, database)
            guard seen == nil || seen == summary else { throw Self.changed(summary) }
            let rows = try ItemRows.digest(of: id, database)
            // Until the region is gone, a signal takes the file along.
            return (summary, rows, try UnfinishedFiles.collecting { try exportGPX(of: id, to: path, database) })
        }
        defer { UnfinishedFiles.finish([path]) }
        do {
            guard leftOut == losing else { throw Self.incomplete(leftOut, summary) }
            var counts = try remove(id) { now, database in
                guard now == summary, try ItemRows.digest(of: id, database) == rows else { return false }
                // From here on the file may be all that is left.
                UnfinishedFiles.finish([path])
                return true
            }
            counts.leftOut = leftOut
            return counts
        } catch let error as RegionStoreError where error.code == .conflict {
            unlink(path)
            throw error
        }
    }

    /// Removes a region, if `isAgreed` says so in the transaction that removes it.
    private func remove(
        _ id: UUID,
        if isAgreed: (RegionSummary, Database) throws -> Bool
    ) throws -> RemovalCounts {
        // Removing must work on a full disk.
        folders.spendReserve()
        let counts = try database.write(isSparing: true) { database in
            let summary = try Self.summary(id, database)
            guard try isAgreed(summary, database) else { throw Self.changed(summary) }
            try RegionRecord.deleteOne(database, key: id.uuidString)
            return RemovalCounts(
                hikes: summary.hikeCount,
                plannedRoutes: summary.plannedRouteCount,
                waypoints: summary.waypointCount
            )
        }
        collectGarbage()
        database.shrink()
        return counts
    }

    private static func changed(_ region: RegionSummary) -> RegionStoreError {
        RegionStoreError(
            .conflict,
            "“\(region.name)” changed in the meantime and was not removed.",
            remedy: "Check what would be removed now, then try again."
        )
    }

    private static func incomplete(_ leftOut: [String], _ region: RegionSummary) -> RegionStoreError {
        let more = leftOut.count - IncompleteExport.maximumListCount
        let list = leftOut.prefix(IncompleteExport.maximumListCount).joined(separator: ", ")
        return RegionStoreError(
            .conflict,
            "“\(region.name)” was not removed, because a GPX file would lack what cannot be read: \(list)"
                + (more > 0 ? " and \(more) more." : "."),
            remedy: "Export the region to a GPX file, then remove it without exporting it again.",
            cause: IncompleteExport()
        )
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
