import RegionModel

/// The schema of an untrusted SQLite file.
///
/// Only tables, indexes and views are accepted.
package struct UntrustedSchema {
    /// The tables and views, by name in lower case.
    private(set) var kinds: [String: String] = [:]

    /// Reads and checks the schema.
    ///
    /// - Parameter allowsUnused: Whether triggers and virtual tables are ignored. Only plain tables of such a file may be read.
    init(of database: UntrustedDatabase, allowsUnused: Bool = false) throws {
        var count = 0
        try database.query("SELECT type, name, rootpage FROM sqlite_schema LIMIT 501") { row in
            count += 1
            let type = row.text(0, limit: 20) ?? ""
            let name = row.text(1, limit: 200) ?? ""
            guard count <= 500 else {
                throw Self.refusal(database, "it has more than 500 tables and indexes")
            }
            switch type {
            case "table", "view", "index":
                // Only entries without rows of their own, such as views, have no root page (SQLite's file format, section 2.6).
                if type == "table", row.integer(2) == 0 {
                    if allowsUnused { return true }
                    throw Self.refusal(database, "“\(name)” is a virtual table")
                }
                if type != "index" { kinds[name.lowercased()] = type }
            case "trigger" where allowsUnused:
                break
            case "trigger":
                throw Self.refusal(database, "“\(name)” is a trigger")
            default:
                throw Self.refusal(database, "“\(name)” is neither a table nor an index nor a view")
            }
            return true
        }
    }

    /// Returns whether there is a table or view with a name.
    func contains(_ name: String) -> Bool { kinds[name] != nil }

    private static func refusal(_ database: UntrustedDatabase, _ why: String) -> RegionStoreError {
        database.invalid("is not acceptable: \(why). A map or routing file may contain only plain tables and views")
    }
}
