import Foundation
import GRDB
import PeerTestSupport
import RegionModel

@testable import Routing

/// A routing database that a test makes.
struct TestGraph {
    struct Node {
        var id: Int
        var latitude: Double
        var longitude: Double
        var elevation: Double?
    }

    struct Edge {
        var from: Int
        var to: Int
        var cost: Double
        var reverse: Double
        /// Nil for the length of the straight line.
        var distance: Double?
        var gain = 0.0
        var loss = 0.0
        var isOneWay = false
        var highway: String? = "path"
        var sacScale: String?
        var visibility: String?
        var surface: String?
        var name: String?
        var points: [(Double, Double)] = []

        init(_ from: Int, _ to: Int, _ cost: Double, _ reverse: Double? = nil) {
            (self.from, self.to, self.cost, self.reverse) = (from, to, cost, reverse ?? cost)
        }
    }

    var nodes: [Node]
    var edges: [Edge]
    /// What is done with the database at last.
    var change = ""

    /// Nodes 0, 1, 2… about a hundred metres from one another, from west to east along a parallel, or with a number of them in a row.
    static func nodes(_ count: Int, inRow width: Int = .max, step: Double = 0.001) -> [Node] {
        (0..<count).map {
            Node(id: $0, latitude: 42.5 + Double($0 / width) * step, longitude: 1.5 + Double($0 % width) * step)
        }
    }

    func place(_ id: Int) throws -> Coordinate {
        let node = nodes[id]
        guard let place = Coordinate(latitude: node.latitude, longitude: node.longitude) else {
            throw CocoaError(.featureUnsupported)
        }
        return place
    }

    func write(to path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE routing_nodes (id INTEGER PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, elevation REAL);
                    CREATE TABLE routing_edges (id INTEGER PRIMARY KEY AUTOINCREMENT, from_node INTEGER NOT NULL,
                        to_node INTEGER NOT NULL, distance REAL, elevation_gain REAL DEFAULT 0, elevation_loss REAL DEFAULT 0,
                        surface TEXT, highway_type TEXT, sac_scale TEXT, trail_visibility TEXT, name TEXT, osm_way_id INTEGER,
                        cost REAL, reverse_cost REAL, is_oneway INTEGER DEFAULT 0, geometry BLOB);
                    CREATE TABLE routing_metadata (key TEXT PRIMARY KEY, value TEXT);
                    """
            )
            for node in nodes {
                try database.execute(
                    sql: "INSERT INTO routing_nodes VALUES (?, ?, ?, ?)",
                    arguments: [node.id, node.latitude, node.longitude, node.elevation]
                )
            }
            for edge in edges {
                let geometry = edge.points.isEmpty ? nil : Data(Self.bytes(edge.points))
                try database.execute(
                    sql: """
                        INSERT INTO routing_edges (from_node, to_node, distance, elevation_gain, elevation_loss, surface,
                            highway_type, sac_scale, trail_visibility, name, cost, reverse_cost, is_oneway, geometry)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        edge.from, edge.to, edge.distance ?? straight(edge), edge.gain, edge.loss, edge.surface,
                        edge.highway, edge.sacScale, edge.visibility, edge.name, edge.cost, edge.reverse, edge.isOneWay,
                        geometry,
                    ]
                )
            }
            try database.execute(sql: change)
        }
    }

    /// Reads the graph.
    func read() async throws -> RoutingGraph {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("graph.routing.db")
            try write(to: path)
            return try RoutingGraph(reading: path)
        }
    }

    /// The length of the line of an edge, in metres.
    private func straight(_ edge: Edge) -> Double {
        guard nodes.indices.contains(edge.from), nodes.indices.contains(edge.to) else { return 1 }
        let (from, to) = (nodes[edge.from], nodes[edge.to])
        let line = ([(from.latitude, from.longitude)] + edge.points + [(to.latitude, to.longitude)]).compactMap {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        return zip(line, line.dropFirst()).reduce(0) { $0 + Geodesy.distance($1.0, $1.1) }
    }

    static func bytes(_ points: [(Double, Double)]) -> [UInt8] {
        points.flatMap { [Float($0.0), Float($0.1)] }.flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
    }

    /// A grid of some thousand edges with random costs, some of them one-way, and some without a way at all.
    static func grid(seed: UInt64, side: Int = 24) -> TestGraph {
        var generator = SeededGenerator(seed: seed)
        var graph = TestGraph(nodes: nodes(side * side, inRow: side), edges: [])
        for index in graph.nodes.indices {
            graph.nodes[index].latitude += Double.random(in: -0.0003...0.0003, using: &generator)
            graph.nodes[index].longitude += Double.random(in: -0.0003...0.0003, using: &generator)
            graph.nodes[index].elevation =
                Int.random(in: 0..<5, using: &generator) == 0 ? nil : Double.random(in: 900...950, using: &generator)
            for next in [index + 1, index + side]
            where next < graph.nodes.count && (next != index + 1 || next % side != 0) {
                guard Int.random(in: 0..<8, using: &generator) > 0 else { continue }
                func cost() -> Double { Double.random(in: 90...300, using: &generator) }
                var edge = Edge(index, next, cost(), cost())
                if Int.random(in: 0..<20, using: &generator) == 0 { (edge.isOneWay, edge.reverse) = (true, .infinity) }
                if Int.random(in: 0..<2, using: &generator) == 0 { (edge.from, edge.to) = (edge.to, edge.from) }
                edge.gain = Double.random(in: 0...9, using: &generator)
                edge.name = ["Camí Ral", "GR 11", nil].randomElement(using: &generator) ?? nil
                edge.highway = ["path", "track", "residential"].randomElement(using: &generator)
                graph.edges.append(edge)
            }
        }
        return graph
    }

    /// The least costs from a node to all nodes that it reaches, by a search that has nothing in common with the library's.
    func costs(from start: Int) -> [Int: Double] {
        var (found, open) = ([Int: Double](), [start: 0.0])
        let ways = edges.flatMap {
            [($0.from, $0.to, $0.cost), ($0.to, $0.from, $0.isOneWay ? .infinity : $0.reverse)]
        }
        let byStart = Dictionary(grouping: ways.filter { $0.2 < .infinity }, by: \.0)
        while let (node, cost) = open.min(by: { $0.value < $1.value }) {
            open[node] = nil
            found[node] = cost
            for (_, next, more) in byStart[node, default: []] where found[next] == nil {
                open[next] = min(open[next] ?? .infinity, cost + more)
            }
        }
        return found
    }
}
