import FoundationEssentials
import GRDB

/// Merges photos that have arrived: each by itself, the newer one of two wins, the local one if both are as old.
struct PhotoMerge {
    var regionID: UUID
    /// Whether newer ones replace those that are here.
    var replacing: Bool
    /// The number of the last row of the waypoints that were here before; theirs stay as they are, with or without a photo,
    /// if nothing is replaced.
    var lastWaypoint: Int64

    private static let name = "The received photos"
    private static let pieceLength = 256 * 1024

    /// Merges one photo; a waypoint that is not here has no place for it.
    ///
    /// A photo is compared and written piece by piece: whole ones would take several times their size in memory.
    ///
    /// - Parameters:
    ///   - entry: The photo.
    ///   - file: The list in which it came.
    ///   - counts: Where it is counted.
    ///   - database: The database.
    /// - Throws: If it cannot be read or written.
    func merge(
        _ entry: PhotoArchive.Entry,
        of file: OpenFile,
        _ counts: inout MergeCounts,
        _ database: Database
    ) throws {
        guard let waypoint = try waypointRow(entry.waypointID, database) else { return }
        let local = try PhotoRecord.Place.fetchOne(of: entry.waypointID, in: regionID, database)
        if let local, try isSame(entry, of: file, local, database) {
            counts.unchanged += 1
            return
        }
        // A time in the future may be a wrong clock's or a liar's; unlike words, a photo that is replaced is gone.
        let tomorrow = MergeClock.tomorrow
        let isNewer =
            local.map { local in
                entry.modifiedAt <= tomorrow && (local.modifiedAt < entry.modifiedAt || local.modifiedAt > tomorrow)
            } ?? true
        guard isNewer, replacing || waypoint > lastWaypoint else {
            counts.keptLocal += 1
            return
        }
        try write(
            entry,
            of: file,
            at: entry.modifiedAt <= tomorrow ? entry.modifiedAt : MergeClock.now,
            local,
            database
        )
        if local == nil { counts.added += 1 } else { counts.updated += 1 }
    }

    private func waypointRow(_ id: UUID, _ database: Database) throws -> Int64? {
        let sql = "SELECT rowid FROM waypoint WHERE regionID = ? AND id = ?"
        return try Int64.fetchOne(
            database.cachedStatement(sql: sql),
            arguments: [regionID.uuidString, id.uuidString]
        )
    }

    private func isSame(
        _ entry: PhotoArchive.Entry,
        of file: OpenFile,
        _ local: PhotoRecord.Place,
        _ database: Database
    ) throws -> Bool {
        guard local.size == entry.range.count else { return false }
        let blob = try PhotoBlob(rowID: local.rowID, isWritable: false, database)
        return try pieces(of: entry).allSatisfy { piece in
            let bytes = try PhotoArchive.bytes(of: entry, piece, of: file, called: Self.name)
            return try blob.read(piece) == bytes
        }
    }

    private func write(
        _ entry: PhotoArchive.Entry,
        of file: OpenFile,
        at modifiedAt: Date,
        _ local: PhotoRecord.Place?,
        _ database: Database
    ) throws {
        let seconds = modifiedAt.timeIntervalSince1970.rounded(.down)
        let rowID: Int64
        if let local {
            try database.execute(
                sql: "UPDATE photo SET modifiedAt = ?, data = zeroblob(?) WHERE rowid = ?",
                arguments: [seconds, entry.range.count, local.rowID]
            )
            rowID = local.rowID
        } else {
            try database.execute(
                sql: "INSERT INTO photo (regionID, waypointID, modifiedAt, data) VALUES (?, ?, ?, zeroblob(?))",
                arguments: [regionID.uuidString, entry.waypointID.uuidString, seconds, entry.range.count]
            )
            rowID = database.lastInsertedRowID
        }
        let blob = try PhotoBlob(rowID: rowID, isWritable: true, database)
        for piece in pieces(of: entry) {
            try blob.write(try PhotoArchive.bytes(of: entry, piece, of: file, called: Self.name), at: piece.lowerBound)
        }
        try PhotoRecord.note(entry.waypointID, in: regionID, database)
    }

    private func pieces(of entry: PhotoArchive.Entry) -> [Range<Int>] {
        stride(from: 0, to: entry.range.count, by: Self.pieceLength).map { start in
            start..<min(start + Self.pieceLength, entry.range.count)
        }
    }
}
