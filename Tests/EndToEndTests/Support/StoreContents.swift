import Foundation
import GRDB
import PeerCore

/// Everything that a store holds, read from its files without the code that is tested.
struct StoreContents: Equatable {
    /// The rows of the tables that hold what a hiker has, by table.
    var rows: [String: [[String: DatabaseValue]]] = [:]

    /// The digests of the files of regions, by name.
    var files: [String: ContentDigest] = [:]

    /// What has arrived of files that are not whole, by name.
    var incoming: [String] = []

    /// What lies in the folders for unfinished work, by name.
    var unfinished: [String] = []

    /// The columns that concern one store only: when the map came, and which file of this machine it was.
    private static let ownColumns: Set = ["region.addedAt", "regionFile.fileNumber", "regionFile.modifiedAt"]

    static let tables = ["region", "regionFile", "hike", "plannedRoute", "waypoint", "photo"]

    /// Reads a store; one that does not exist is empty.
    init(of store: String) throws {
        let manager = FileManager.default
        for table in Self.tables { rows[table] = [] }
        guard manager.fileExists(atPath: store) else { return }
        for path in try manager.subpathsOfDirectory(atPath: store) {
            var isFolder: ObjCBool = false
            _ = manager.fileExists(atPath: store + "/" + path, isDirectory: &isFolder)
            guard !isFolder.boolValue, !Self.isBookkeeping(path) else { continue }
            // An index of tiles is derived: it may be missing at any moment.
            if path.hasPrefix("regions/"), path.hasSuffix(".tiles") { continue }
            if path.hasPrefix("regions/") {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: store + "/" + path))
                files[path] = ContentDigest(hashing: Array(bytes))
            } else if path.hasPrefix("incoming/") {
                incoming.append(path)
            } else {
                unfinished.append(path)
            }
        }
        guard manager.fileExists(atPath: store + "/hikeshare.sqlite") else { return }
        let queue = try DatabaseQueue(path: store + "/hikeshare.sqlite")
        try queue.read { database in
            for table in Self.tables where try database.tableExists(table) {
                rows[table] = try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map { row in
                    // Fingerprints are derived from the rest, and computed when they are first needed.
                    Dictionary(row.filter { $0.0 != "fingerprint" }.map { ($0, $1) }) { first, _ in first }
                }
            }
        }
    }

    /// How many rows a table has.
    func count(_ table: String) -> Int { rows[table]?.count ?? 0 }

    /// What two stores do not have in common of what crosses, in words.
    func differences(from other: StoreContents) -> [String] {
        Self.tables.flatMap { table in
            let (ours, theirs) = (rows[table] ?? [], other.rows[table] ?? [])
            guard ours.count == theirs.count else { return ["\(table): \(ours.count) and \(theirs.count) rows"] }
            return zip(ours, theirs).flatMap { first, second in
                Set(first.keys).union(second.keys)
                    .filter { !Self.ownColumns.contains("\(table).\($0)") && first[$0] != second[$0] }
                    .map { column in
                        "\(table).\(column): \(String(describing: first[column])) and \(String(describing: second[column]))"
                    }
            }
        }
    }

    private static func isBookkeeping(_ path: String) -> Bool {
        path.hasPrefix("hikeshare.sqlite")
            || ["identity.pem", "localsend.pem", "lock", "reserve", "window"].contains(path)
    }
}
