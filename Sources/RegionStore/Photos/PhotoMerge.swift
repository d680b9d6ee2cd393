import FoundationEssentials
import GRDB
import PeerStorage
import RegionModel

/// Merges received photos one by one.
///
/// The newer of two photos wins, or the local one if both have the same time.
struct PhotoMerge {
    var regionID: UUID
    /// Whether newer photos replace local ones.
    var replacing: Bool
    /// The number of the last row of the waypoints before the transfer.
    ///
    /// If nothing is replaced, these waypoints keep their photos and get none.
    var lastWaypoint: Int64

    private static let name = "The received photos"
    private static let pieceLength = 256 * 1024

    /// Merges one photo.
    ///
    /// A photo of a waypoint that is not in the store is left out.
    ///
    /// A photo is compared and written piece by piece, because a whole photo needs several times its size in memory.
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
        // A time in the future comes from a wrong clock or a false sender. A replaced photo is lost.
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

    /// Returns whether the store has this very photo.
    func isSame(
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

    /// Writes a photo to the store, in the place of the local one if there is one.
    func write(
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
