import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage

/// The row of a region's file, its map or its routing database.
struct RegionFileRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "regionFile"

    var regionID: UUID
    var kind: ResourceKind
    var digest: ContentDigest
    var layout: ChunkLayout
    var chunkDigests: [ContentDigest]
    /// The stamp of the file when its content was last verified and on the disk; nil if it is unknown.
    var stamp: FileStamp?

    /// The name of the file in its region's folder.
    var fileName: String { Self.fileName(kind, digest) }

    init(regionID: UUID, kind: ResourceKind, contents: FileDigester.Result, stamp: FileStamp?) {
        self.regionID = regionID
        self.kind = kind
        self.digest = contents.digest
        self.layout = contents.layout
        self.chunkDigests = contents.chunkDigests
        self.stamp = stamp
    }

    init(row: Row) throws {
        let size: Int64 = row["size"]
        let bytes: Data = row["digest"]
        guard let kind = ResourceKind(rawValue: row["kind"]), let layout = ChunkLayout(size: UInt64(clamping: size)),
            let digest = Self.digests(bytes).first
        else { throw ImpossibleValue(column: "digest") }
        self.regionID = try row.id("regionID")
        self.kind = kind
        self.digest = digest
        self.layout = layout
        // Without copying the bytes, which have up to 2 MiB.
        self.chunkDigests = try row.withUnsafeData(named: "chunkDigests") { Self.digests($0 ?? Data()) }
        self.stamp = FileStamp(row)
        guard chunkDigests.count == layout.chunkCount else { throw ImpossibleValue(column: "chunkDigests") }
    }

    func encode(to container: inout PersistenceContainer) {
        container.set("regionID", regionID)
        container["kind"] = kind.rawValue
        container["digest"] = Data(digest.bytes)
        container["size"] = Int64(clamping: layout.size)
        var list = Data(capacity: chunkDigests.count * ContentDigest.byteCount)
        for digest in chunkDigests { digest.withUnsafeBytes { list.append(contentsOf: $0) } }
        container["chunkDigests"] = list
        container["fileNumber"] = stamp?.number
        container["modifiedAt"] = stamp?.modifiedAt
    }

    /// Records that a region's file was verified.
    static func note(_ stamp: FileStamp, _ kind: ResourceKind, of regionID: UUID, _ database: Database) throws {
        try filter(Column("regionID") == regionID.uuidString && Column("kind") == kind.rawValue).updateAll(
            database,
            Column("fileNumber").set(to: stamp.number),
            Column("modifiedAt").set(to: stamp.modifiedAt)
        )
    }

    static func fileName(_ kind: ResourceKind, _ digest: ContentDigest) -> String {
        digest.hex + ((kind.part as? any FilePart)?.fileSuffix ?? "")
    }

    static func fetchOne(_ kind: ResourceKind, of regionID: UUID, _ database: Database) throws -> RegionFileRecord? {
        try filter(Column("regionID") == regionID.uuidString && Column("kind") == kind.rawValue).fetchOne(database)
    }

    /// Returns the digests of a region's files, by kind.
    static func digests(of regionID: UUID, _ database: Database) throws -> [ResourceKind: ContentDigest] {
        let sql = "SELECT kind, digest FROM regionFile WHERE regionID = ?"
        var found: [ResourceKind: ContentDigest] = [:]
        for row in try Row.fetchAll(database, sql: sql, arguments: [regionID.uuidString]) {
            guard let kind = ResourceKind(rawValue: row["kind"]), let digest = digests(row["digest"]).first else {
                throw ImpossibleValue(column: "digest")
            }
            found[kind] = digest
        }
        return found
    }

    /// The columns that determine the name of a file.
    struct Key {
        var regionID: UUID
        var kind: ResourceKind
    }

    /// Returns the columns that determine the names of all files.
    static func keys(_ database: Database) throws -> [Key] {
        try Row.fetchAll(database, sql: "SELECT regionID, kind FROM regionFile").map { row in
            guard let kind = ResourceKind(rawValue: row["kind"]) else { throw ImpossibleValue(column: "kind") }
            return Key(regionID: try row.id("regionID"), kind: kind)
        }
    }

    /// Returns the names of all files of all regions.
    static func fileNames(_ database: Database) throws -> [UUID: Set<String>] {
        var names: [UUID: Set<String>] = [:]
        // Chunk digests are not read, because they have up to 2 MiB for each file.
        for row in try Row.fetchAll(database, sql: "SELECT regionID, kind, digest FROM regionFile") {
            guard let kind = ResourceKind(rawValue: row["kind"]), let digest = digests(row["digest"]).first else {
                throw ImpossibleValue(column: "digest")
            }
            names[try row.id("regionID"), default: []].insert(fileName(kind, digest))
        }
        return names
    }

    static func digests(_ data: Data) -> [ContentDigest] {
        data.withUnsafeBytes { bytes in
            var digests: [ContentDigest] = []
            digests.reserveCapacity(bytes.count / ContentDigest.byteCount)
            for start in stride(from: 0, to: bytes.count, by: ContentDigest.byteCount) {
                let end = min(start + ContentDigest.byteCount, bytes.count)
                if let digest = ContentDigest(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
                    digests.append(digest)
                }
            }
            return digests
        }
    }
}

extension FileStamp {
    init?(_ row: Row) {
        guard let number: Int64 = row["fileNumber"], let modifiedAt: Int64 = row["modifiedAt"] else { return nil }
        self.init(number: number, modifiedAt: modifiedAt)
    }
}
