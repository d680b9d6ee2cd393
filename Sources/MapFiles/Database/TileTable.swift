import PeerProtocol

/// Where a map's file has the bytes of its tiles: the table and its columns.
package struct TileTable: Hashable, Sendable {
    /// The first page of the table.
    var rootPage: UInt32
    /// The positions of the columns in the records of the table.
    var dataColumn: Int
    /// Those of zoom level, column and row; nil if the table does not have them, because tiles of several places share a row.
    var addressColumns: [Int]?

    package init(rootPage: UInt32, dataColumn: Int, addressColumns: [Int]?) {
        self.rootPage = rootPage
        self.dataColumn = dataColumn
        self.addressColumns = addressColumns
    }

    /// Finds the table; nil if no table is known to have tiles.
    package init?(of database: UntrustedDatabase) throws {
        let kinds = try UntrustedSchema(of: database).kinds
        // Maps that share repeated tiles have them in this table, and `tiles` is a view.
        let name = kinds["tiles"] == "table" ? "tiles" : "images"
        guard kinds[name] == "table" else { return nil }
        var rootPage: UInt32?
        var isWithoutRowID = false
        try database.query(
            "SELECT rootpage, lower(sql) FROM sqlite_schema WHERE type = 'table' AND lower(name) = '\(name)'"
        ) {
            rootPage = UInt32(exactly: $0.integer(0))
            isWithoutRowID = Self.isWithoutRowID($0.text(1) ?? "")
            return false
        }
        var columns: [(name: String, key: Int)] = []
        var hasHidden = false
        try database.columns(of: name) { name, key, isHidden in
            columns.append((name.lowercased(), key))
            if isHidden { hasHidden = true }
        }
        guard let rootPage, !hasHidden else { return nil }
        if isWithoutRowID {
            // The columns of the primary key come first, in its order.
            let first = columns.filter { $0.key > 0 }.sorted { $0.key < $1.key }
            columns = first + columns.filter { $0.key == 0 }
        }
        guard let dataColumn = columns.firstIndex(where: { $0.name == "tile_data" }) else { return nil }
        let address = ["zoom_level", "tile_column", "tile_row"].compactMap { name in
            columns.firstIndex { $0.name == name }
        }
        self.init(rootPage: rootPage, dataColumn: dataColumn, addressColumns: address.count == 3 ? address : nil)
    }

    /// Whether the text of a table's declaration ends so; a wrong guess finds no tiles.
    private static func isWithoutRowID(_ sql: String) -> Bool {
        guard let end = sql.lastIndex(of: ")") else { return false }
        let words = sql[sql.index(after: end)...].split { !$0.isLetter }
        return zip(words, words.dropFirst()).contains { $0 == "without" && $1 == "rowid" }
    }
}
