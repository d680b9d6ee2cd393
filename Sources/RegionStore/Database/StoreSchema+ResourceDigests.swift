import Crypto
import FoundationEssentials
import GRDB

extension StoreSchema {
    /// Recomputes the digests of region files from the digests of their chunks, because the digests now have a tag.
    ///
    /// Existing files keep their names, which come from the old digests. The list of merged photo archives is cleared. Partial
    /// archives are kept until they expire.
    static func tagResourceDigests(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE regionFile ADD COLUMN fileName TEXT; DELETE FROM mergedPhotoArchive;")
        // One at a time, because the chunk digests of a file have up to 2 MiB.
        for id in try Int64.fetchAll(database, sql: "SELECT rowid FROM regionFile") {
            let sql = "SELECT kind, digest, size, chunkDigests FROM regionFile WHERE rowid = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { continue }
            let (kind, size): (String, Int64) = (row["kind"], row["size"])
            let (old, chunkDigests): (Data, Data) = (row["digest"], row["chunkDigests"])
            var hasher = SHA256()
            hasher.update(data: Array("hikeshare resource\0".utf8))
            withUnsafeBytes(of: UInt64(clamping: size).bigEndian) { hasher.update(bufferPointer: $0) }
            hasher.update(data: chunkDigests)
            let name = old.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
            try database.execute(
                sql: "UPDATE regionFile SET digest = ?, fileName = ? WHERE rowid = ?",
                arguments: [
                    Data(hasher.finalize()), name + (kind == "routing" ? ".routing.db" : ".mbtiles"), id,
                ]
            )
        }
    }
}
