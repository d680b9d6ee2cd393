import Glibc
import MapFiles
import PeerStorage
import RegionModel

/// Reads an untrusted routing database into lists.
struct GraphReader {
    private let database: UntrustedDatabase
    /// The ids of the nodes, in ascending order.
    private var ids: [Int] = []
    private(set) var nodes: [GraphNode] = []
    private(set) var edges: [GraphEdge] = []
    private(set) var boxes: [EdgeBox] = []
    private(set) var numbers: [Float] = []
    private(set) var texts = GraphTexts()
    /// The least cost of a metre of straight line between the ends of an edge.
    private(set) var leastCost = Double.infinity

    /// Reads a file.
    init(_ path: String) throws {
        let file = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            try OpenFile(path, O_RDONLY)
        }
        _ = try DatabaseHeader(of: file, path: path)
        let size = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try file.size() }
        guard size <= GraphLimits.fileSize else {
            throw GraphLimits.exceeded(path, "\(GraphLimits.fileSize / 1_000_000) MB")
        }
        let limits = CheckLimits(seconds: GraphLimits.seconds, memory: CheckLimits.oneTile.memory)
        database = try UntrustedDatabase(path, .immutable, for: .read, within: limits)
        do {
            try RoutingFile.checkKind(of: database)
            try reserve()
            try readNodes()
            try readEdges()
        } catch let error as RegionStoreError where error.isReachedLimit {
            throw RegionStoreError(
                .storage,
                "\(path) takes too long or too much memory to plan routes with.",
                remedy: "Create the routing database again, and import it as a newer version.",
                cause: error
            )
        }
        ids = []
        if leastCost == .infinity { leastCost = 0 }
    }

    /// Counts before anything is read, so that a graph that is much too large is known at once.
    private mutating func reserve() throws {
        func count(_ table: String, _ limit: Int, _ what: String) throws -> Int {
            let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT \(limit + 1))"
            let count = try database.first(sql) { $0.integer(0) } ?? 0
            guard count <= limit else { throw GraphLimits.exceeded(database.name, "\(limit) \(what)") }
            return count
        }
        let nodeCount = try count("routing_nodes", GraphLimits.nodeCount, "places where ways meet")
        guard nodeCount > 0 else { throw database.invalid("is an empty routing database: it has no nodes") }
        let edgeCount = try count("routing_edges", GraphLimits.edgeCount, "ways")
        ids.reserveCapacity(nodeCount)
        nodes.reserveCapacity(nodeCount)
        edges.reserveCapacity(edgeCount)
        boxes.reserveCapacity(edgeCount)
        let length = try database.first("SELECT sum(length(geometry)) FROM routing_edges") { $0.real(0) ?? 0 } ?? 0
        guard length / 8 <= Double(GraphLimits.pointCount) else { throw tooManyPoints }
        numbers.reserveCapacity(Int(length) / 4)
    }

    private var tooManyPoints: RegionStoreError {
        GraphLimits.exceeded(database.name, "\(GraphLimits.pointCount) points of ways")
    }

    private mutating func readNodes() throws {
        try database.query("SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id") { row in
            func invalid(_ what: String) -> RegionStoreError {
                database.invalid("has a node \(what): id \(row.text(0, limit: 50) ?? "NULL")")
            }
            // A view can have other rows than those that were counted.
            guard nodes.count < GraphLimits.nodeCount else { throw invalid("too many") }
            guard let id = row.wholeNumber(0), ids.last.map({ $0 < id }) ?? true else {
                throw invalid("without an id of its own")
            }
            guard let latitude = row.real(1), let longitude = row.real(2),
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            else { throw invalid("that is not on Earth") }
            let elevation = row.real(3)
            guard elevation.map(GraphLimits.elevations.contains) ?? row.isNull(3) else {
                throw invalid("whose elevation is not a possible one")
            }
            ids.append(id)
            nodes.append(GraphNode(coordinate: coordinate, elevation: elevation ?? .nan))
            return true
        }
    }

    private mutating func readEdges() throws {
        let sql = """
            SELECT id, from_node, to_node, distance, elevation_gain, elevation_loss, cost, reverse_cost, is_oneway, geometry,
                highway_type, sac_scale, trail_visibility, surface, name
            FROM routing_edges
            """
        try database.query(sql) { row in
            guard edges.count < GraphLimits.edgeCount else { throw invalid(row, "too many") }
            guard let from = node(row.wholeNumber(1)), let to = node(row.wholeNumber(2)) else {
                throw database.invalid("has an edge to a missing node: id \(row.text(0, limit: 50) ?? "NULL")")
            }
            let cost = try amount(row, 6, "cost", atMost: GraphLimits.cost)
            // OpenHiker does not walk one-way edges against their direction, whatever that would cost.
            let isOneWay = try row.isNull(8) ? false : amount(row, 8, "direction", atMost: 1) != 0
            let isImpassable = row.real(7) == .infinity
            let reverse = isImpassable ? .infinity : try amount(row, 7, "cost", atMost: GraphLimits.cost)
            let first = Int32(numbers.count)
            try readPoints(row)
            let edge = GraphEdge(
                from: from,
                to: to,
                cost: cost,
                reverseCost: isOneWay ? .infinity : reverse,
                distance: try amount(row, 3, "length", atMost: GraphLimits.length),
                gain: row.isNull(4) ? 0 : try amount(row, 4, "ascent", atMost: GraphLimits.length),
                loss: row.isNull(5) ? 0 : try amount(row, 5, "descent", atMost: GraphLimits.length),
                firstNumber: first,
                lastNumber: Int32(numbers.count),
                name: try text(row, 14),
                surface: try text(row, 13),
                kind: WayKind(highwayType: row.text(10, limit: 50)),
                sacScale: row.text(11, limit: 50).flatMap(SACScale.init(rawValue:)),
                visibility: row.text(12, limit: 50).flatMap(TrailVisibility.init(rawValue:))
            )
            edges.append(edge)
            let (start, end) = (nodes[Int(from)].coordinate, nodes[Int(to)].coordinate)
            boxes.append(EdgeBox(EdgeLine(start: start, end: end, numbers: numbers[Int(first)...])))
            let metres = Geodesy.distance(start, end)
            if metres > 0 { leastCost = min(leastCost, cost / metres, edge.reverseCost / metres) }
            return true
        }
    }

    private func invalid(_ row: UntrustedRow, _ what: String) -> RegionStoreError {
        database.invalid("has an edge \(what): id \(row.text(0, limit: 50) ?? "NULL")")
    }

    /// Returns a number from 0.
    private func amount(_ row: UntrustedRow, _ column: CInt, _ what: String, atMost limit: Double) throws -> Double {
        guard let value = row.real(column), (0...limit).contains(value) else {
            throw invalid(row, "whose \(what) is not a possible one")
        }
        return value
    }

    /// Returns the position of a node in the list.
    private func node(_ id: Int?) -> Int32? {
        guard let id else { return nil }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? Int32(low) : nil
    }

    private mutating func readPoints(_ row: UntrustedRow) throws {
        let isWhole = row.withBytes(9) { bytes in
            guard bytes.count % 8 == 0 else { return false }
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                func number(_ offset: Int) -> Float {
                    Float(
                        bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                    )
                }
                let (latitude, longitude) = (number(offset), number(offset + 4))
                guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return false }
                numbers.append(latitude)
                numbers.append(longitude)
            }
            return true
        }
        guard isWhole else { throw invalid(row, "whose points are not all on Earth") }
        guard numbers.count <= 2 * GraphLimits.pointCount else { throw tooManyPoints }
    }

    private mutating func text(_ row: UntrustedRow, _ column: CInt) throws -> UInt16 {
        guard !row.isNull(column), let text = row.text(column, limit: 1000), !text.isEmpty else { return 0 }
        guard let index = texts.index(of: text) else {
            throw GraphLimits.exceeded(
                database.name,
                "\(GraphLimits.textCount) names, or \(GraphLimits.textsLength / 1_000_000) MB of them"
            )
        }
        return index
    }
}
