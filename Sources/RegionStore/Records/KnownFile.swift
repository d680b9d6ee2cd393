import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage

/// A region's file without its chunk digests, which have up to 2 MiB and are slow to read.
struct KnownFile {
    var regionID: UUID
    var kind: ResourceKind
    var digest: ContentDigest
    var size: UInt64
    var stamp: FileStamp?

    /// The name that the file has in its region's folder.
    var fileName: String { RegionFileRecord.fileName(kind, digest) }

    private init(row: Row) throws {
        guard let kind = ResourceKind(rawValue: row["kind"]), let digest = RegionFileRecord.digests(row["digest"]).first
        else { throw ImpossibleValue(column: "digest") }
        regionID = try row.id("regionID")
        self.kind = kind
        self.digest = digest
        size = UInt64(clamping: row["size"] as Int64)
        stamp = FileStamp(row)
    }

    static func fetchOne(_ kind: ResourceKind, of regionID: UUID, _ database: Database) throws -> KnownFile? {
        try Row.fetchOne(
            database,
            sql: columns + " WHERE regionID = ? AND kind = ?",
            arguments: [regionID.uuidString, kind.rawValue]
        ).map(KnownFile.init)
    }

    /// Returns the files of all regions with given content.
    static func fetchAll(_ kind: ResourceKind, digest: ContentDigest, _ database: Database) throws -> [KnownFile] {
        try Row.fetchAll(
            database,
            sql: columns + " WHERE digest = ? AND kind = ?",
            arguments: [Data(digest.bytes), kind.rawValue]
        ).map(KnownFile.init)
    }

    /// Returns the files of one kind of all regions.
    static func fetchAll(_ kind: ResourceKind, _ database: Database) throws -> [KnownFile] {
        try Row.fetchAll(database, sql: columns + " WHERE kind = ?", arguments: [kind.rawValue]).map(KnownFile.init)
    }

    private static let columns = "SELECT regionID, kind, digest, size, fileNumber, modifiedAt FROM regionFile"
}
