import GRDB

/// A routing database to be made for a test: a chain of nodes near Innsbruck.
struct RoutingFixture {
    var nodeCount = 20
    var statedNodeCount: Int?
    var bounds = "11.26,47.05,11.59,47.27"
    var edgeTarget: Int?
    var additions: [String] = []

    func write(to path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE routing_nodes (
                        id INTEGER PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, elevation REAL);
                    CREATE TABLE routing_edges (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        from_node INTEGER NOT NULL REFERENCES routing_nodes(id),
                        to_node INTEGER NOT NULL REFERENCES routing_nodes(id),
                        distance REAL NOT NULL, elevation_gain REAL DEFAULT 0, elevation_loss REAL DEFAULT 0,
                        surface TEXT, highway_type TEXT, sac_scale TEXT, trail_visibility TEXT, name TEXT,
                        osm_way_id INTEGER, cost REAL NOT NULL, reverse_cost REAL NOT NULL,
                        is_oneway INTEGER DEFAULT 0, geometry BLOB);
                    CREATE TABLE routing_metadata (key TEXT PRIMARY KEY, value TEXT);
                    PRAGMA foreign_keys = OFF;
                    """
            )
            for node in 1...nodeCount {
                try database.execute(
                    sql: "INSERT INTO routing_nodes VALUES (?, ?, ?, 1200)",
                    arguments: [node, 47.1 + Double(node) / 1000, 11.4]
                )
            }
        }
        // Foreign keys are off where the file must be wrong.
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            for node in 1..<nodeCount {
                try database.execute(
                    sql: """
                        INSERT INTO routing_edges (from_node, to_node, distance, cost, reverse_cost)
                        VALUES (?, ?, 111, 111, 9e999)
                        """,
                    arguments: [node, edgeTarget ?? node + 1]
                )
            }
            let metadata = [
                ("version", "1"), ("bounding_box", bounds), ("node_count", "\(statedNodeCount ?? nodeCount)"),
                ("edge_count", "\(nodeCount - 1)"),
            ]
            for (key, value) in metadata {
                try database.execute(sql: "INSERT INTO routing_metadata VALUES (?, ?)", arguments: [key, value])
            }
            for sql in additions { try database.execute(sql: sql) }
        }
    }
}
