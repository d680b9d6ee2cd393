import GRDB

/// A map that wants more of the machine than a map may.
package enum HostileMap {
    /// A small file whose tiles are the product of a table with itself, many times over.
    package static func make(_ path: String, rows: Int, factors: Int, isDistinct: Bool = false) throws {
        let names = (0..<factors).map { "n\($0)" }
        let product = names.map { "numbers AS \($0)" }.joined(separator: ", ")
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE numbers (x INTEGER)")
            for number in 0..<rows { try database.execute(sql: "INSERT INTO numbers VALUES (?)", arguments: [number]) }
            try database.execute(
                sql: """
                    CREATE VIEW tiles AS SELECT \(isDistinct ? "DISTINCT" : "") 12 AS zoom_level, n0.x AS tile_column, n1.x AS tile_row,
                    x'89504E470D0A1A0A' AS tile_data FROM \(product)
                    """
            )
        }
        try queue.close()
    }
}
