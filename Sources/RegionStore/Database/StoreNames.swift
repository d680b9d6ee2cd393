import FoundationEssentials
import GRDBSQLite
import MapFiles
import PeerProtocol
import PeerStorage

/// The names in a store, read without opening the store.
///
/// A shell needs them to complete a command line. Reading them creates no store, changes no file and waits for no other process.
/// It reports no errors: what cannot be read is missing.
package struct StoreNames: Sendable {
    /// A name, and the id of what has it.
    package struct Entry: Hashable, Sendable {
        /// The name, which may come from another machine.
        package var name: String
        /// The id, as it can be typed.
        package var id: String
    }

    private static let maximumCount = 1000
    private static let maximumLength = 1000

    private let path: String

    /// Creates a value for the store in a folder, which need not exist.
    package init(storeAt path: String) { self.path = path }

    /// The regions, sorted by name.
    package var regions: [Entry] {
        rows("SELECT name, id FROM region ORDER BY name COLLATE NOCASE, id LIMIT \(Self.maximumCount)") {
            $0.text(1, limit: Self.maximumLength)
        }
    }

    /// The trusted peers, sorted by name.
    package var trustedPeers: [Entry] {
        rows("SELECT name, id FROM trustedPeer ORDER BY name COLLATE NOCASE, id LIMIT \(Self.maximumCount)") { row in
            row.bytes(1, limit: 33).withUnsafeBytes { ContentDigest(bytes: $0) }?.hex
        }
    }

    /// Returns the items of some kinds: those of one region, or those of all regions if the text does not match exactly one.
    ///
    /// - Returns: The items, one kind after the other, sorted by name.
    package func items(_ kinds: [ItemKind], ofRegion text: String?) -> [Entry] {
        let regions = regions.compactMap { entry in UUID(uuidString: entry.id).map { (name: entry.name, id: $0) } }
        let matches = RegionQuery(text ?? "", isExact: false).matches(regions, name: \.name, id: \.id)
        let condition = matches.count == 1 ? "WHERE regionID = '\(matches[0].id.uuidString)'" : ""
        return kinds.flatMap { kind in
            rows(
                """
                SELECT \(kind.nameColumn), id FROM \(kind.tableName) \(condition)
                ORDER BY \(kind.nameColumn) COLLATE NOCASE, id LIMIT \(Self.maximumCount)
                """
            ) {
                $0.text(1, limit: Self.maximumLength)
            }
        }
    }

    /// The regions with incomplete files, sorted by name.
    package var incomingRegions: [Entry] {
        guard let folder = try? Folder(path + "/incoming"), let names = try? folder.names() else { return [] }
        let entries = names.prefix(Self.maximumCount).compactMap { name -> Entry? in
            guard let file = try? folder.folder(name), let note = IncomingNote(in: file) else { return nil }
            return Entry(name: String(note.regionName.prefix(Self.maximumLength)), id: note.regionID.uuidString)
        }
        return Set(entries).sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    private func rows(_ sql: String, id: (UntrustedRow) -> String?) -> [Entry] {
        let database = path + "/" + StoreDatabase.fileName
        // SQLite creates files beside a database only to read a log. Without a log, the database is all there is to read.
        let hasLog = FileStatus(path: database + "-wal").map { $0.size > 0 } ?? false
        var entries: [Entry] = []
        do {
            let limits = CheckLimits(seconds: 0.5, memory: 32 << 20)
            let opened = try UntrustedDatabase(database, hasLog ? .live : .immutable, within: limits)
            sqlite3_busy_timeout(opened.handle, 0)
            try opened.query(sql) { row in
                guard let name = row.text(0, limit: Self.maximumLength), let id = id(row) else { return true }
                entries.append(Entry(name: name, id: id))
                return true
            }
        } catch {
            return []
        }
        return entries
    }
}
