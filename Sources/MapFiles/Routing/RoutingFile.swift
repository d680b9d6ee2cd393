import PeerStorage
package import RegionModel

/// The description of a routing database.
package struct RoutingFile: Sendable {
    let nodeCount: Int
    let edgeCount: Int

    /// The area in the metadata; nil if there is none.
    package let statedBounds: BoundingBox?

    /// Opens and checks a file.
    package init(checking database: UntrustedDatabase) throws {
        try Self.checkKind(of: database)
        // Preparing these fails if a column is missing.
        try database.query("SELECT id, latitude, longitude, elevation FROM routing_nodes LIMIT 1")
        try database.query(
            """
            SELECT id, from_node, to_node, distance, elevation_gain, elevation_loss, surface, highway_type, sac_scale,
                trail_visibility, name, osm_way_id, cost, reverse_cost, is_oneway, geometry
            FROM routing_edges LIMIT 1
            """
        )
        var metadata: [String: String] = [:]
        try database.query("SELECT key, value FROM routing_metadata LIMIT 1000") { row in
            if let key = row.text(0, limit: 100) { metadata[key] = row.text(1, limit: 1000) }
            return true
        }
        nodeCount = try database.first("SELECT count(*) FROM routing_nodes") { $0.integer(0) } ?? 0
        edgeCount = try database.first("SELECT count(*) FROM routing_edges") { $0.integer(0) } ?? 0
        statedBounds = metadata["bounding_box"].flatMap(BoundingBox.init(metadata:))
        for (key, count) in [("node_count", nodeCount), ("edge_count", edgeCount)] {
            guard let stated = metadata[key] else { continue }
            guard Int(stated) == count else {
                throw database.invalid(
                    "is incomplete: its key “\(key)” says \(stated.prefix(20)), but there are \(count)"
                )
            }
        }
        guard nodeCount > 0 else { throw database.invalid("is an empty routing database: it has no nodes") }
    }

    /// Checks that a file is a routing database.
    package static func checkKind(of database: UntrustedDatabase) throws {
        let schema = try UntrustedSchema(of: database)
        for table in ["routing_nodes", "routing_edges", "routing_metadata"] where !schema.contains(table) {
            throw database.invalid("is not a routing database: it has no table “\(table)”")
        }
    }

    /// Checks that all nodes are on Earth, and that all edges connect nodes.
    package static func checkRows(of database: UntrustedDatabase) throws {
        let misplaced = """
            SELECT id FROM routing_nodes
            WHERE latitude IS NULL OR longitude IS NULL
                OR latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180
            LIMIT 1
            """
        try database.query(misplaced) { row in
            throw database.invalid("has a node that is not on Earth: id \(row.text(0, limit: 50) ?? "NULL")")
        }
        let loose = """
            SELECT id FROM routing_edges
            WHERE NOT EXISTS (SELECT 1 FROM routing_nodes WHERE id = from_node)
                OR NOT EXISTS (SELECT 1 FROM routing_nodes WHERE id = to_node)
            LIMIT 1
            """
        // Both tables have a column named id: the inner one hides the outer.
        try database.query(loose) { row in
            let id = row.text(0, limit: 50) ?? "NULL"
            throw database.invalid("has an edge to a missing node: id \(id)")
        }
    }
}
