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
    private(set) var numbers: [Float] = []
    private(set) var texts: [String?] = [nil]
    private var textIndexes: [String: UInt16] = [:]
    private var textsLength = 0
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
        try RoutingFile.checkKind(of: database)
        try reserve()
        try readNodes()
        try readEdges()
    }

    /// Counts before anything is read, so that a graph that is much too large is known at once.
    private mutating func reserve() throws {
        func count(_ table: String, _ limit: Int, _ what: String) throws -> Int {
            let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT \(limit + 1))"
            let count = try database.first(sql) { $0.integer(0) } ?? 0
            guard count <= limit else { throw GraphLimits.exceeded(database.name, "\(limit) \(what)") }
            return count
        }
        nodes.reserveCapacity(try count("routing_nodes", GraphLimits.nodeCount, "places where ways meet"))
        edges.reserveCapacity(try count("routing_edges", GraphLimits.edgeCount, "ways"))
        let length = try database.first("SELECT sum(length(geometry)) FROM routing_edges") { $0.real(0) ?? 0 } ?? 0
        try checkPointCount(length / 8)
        numbers.reserveCapacity(Int(length) / 4)
    }

    private func checkPointCount(_ count: Double) throws {
        guard count <= Double(GraphLimits.pointCount) else {
            throw GraphLimits.exceeded(database.name, "\(GraphLimits.pointCount) points of ways")
        }
    }

    private func invalid(_ row: UntrustedRow, _ what: String) -> RegionStoreError {
        database.invalid("has \(what): id \(row.text(0, limit: 50) ?? "NULL")")
    }

    private mutating func readNodes() throws {
        try database.query("SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id") { row in
            // A view can have other rows than those that were counted.
            guard nodes.count < GraphLimits.nodeCount else { throw invalid(row, "a node too many") }
            guard let id = row.wholeNumber(0), ids.last.map({ $0 < id }) ?? true else {
                throw invalid(row, "a node without an id of its own")
            }
            guard let latitude = row.real(1), let longitude = row.real(2),
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            else { throw invalid(row, "a node that is not on Earth") }
            let elevation = row.real(3)
            guard elevation.map(GraphLimits.elevations.contains) ?? row.isNull(3) else {
                throw invalid(row, "a node whose elevation is not a possible one")
            }
            ids.append(id)
            nodes.append(GraphNode(coordinate: coordinate, elevation: elevation ?? .nan))
            return true
        }
        guard !nodes.isEmpty else { throw database.invalid("is an empty routing database: it has no nodes") }
    }

    private mutating func readEdges() throws {
        let sql = """
            SELECT id, from_node, to_node, distance, elevation_gain, elevation_loss, cost, reverse_cost, is_oneway,
                geometry, highway_type, sac_scale, trail_visibility, surface, name
            FROM routing_edges
            """
        try database.query(sql) { row in
            guard edges.count < GraphLimits.edgeCount else { throw invalid(row, "an edge too many") }
            guard let from = node(row.wholeNumber(1)), let to = node(row.wholeNumber(2)) else {
                throw invalid(row, "an edge to a missing node")
            }
            func amount(_ column: CInt, _ what: String, atMost limit: Double = GraphLimits.length) throws -> Double {
                guard let value = row.real(column), (0...limit).contains(value) else {
                    throw invalid(row, "an edge whose \(what) is not a possible one")
                }
                return value
            }
            let cost = try amount(6, "cost", atMost: GraphLimits.cost)
            let reverse = row.real(7) == .infinity ? .infinity : try amount(7, "cost", atMost: GraphLimits.cost)
            // OpenHiker does not walk one-way edges against their direction, whatever that would cost.
            let isOneWay = row.isNull(8) ? false : try amount(8, "direction", atMost: 1) != 0
            let firstNumber = Int32(numbers.count)
            try readPoints(row)
            let (start, end) = (nodes[Int(from)].coordinate, nodes[Int(to)].coordinate)
            var box = EdgeBox()
            for end in [start, end] { box.add(Float(end.latitude), Float(end.longitude)) }
            for index in stride(from: Int(firstNumber), to: numbers.count, by: 2) {
                box.add(numbers[index], numbers[index + 1])
            }
            let edge = GraphEdge(
                from: from,
                to: to,
                cost: cost,
                reverseCost: isOneWay ? .infinity : reverse,
                distance: try amount(3, "length"),
                gain: row.isNull(4) ? 0 : try amount(4, "ascent"),
                loss: row.isNull(5) ? 0 : try amount(5, "descent"),
                firstNumber: firstNumber,
                lastNumber: Int32(numbers.count),
                name: try text(row, 14),
                surface: try text(row, 13),
                kind: WayKind(highwayType: row.text(10, limit: 50)),
                sacScale: row.text(11, limit: 50).flatMap(SACScale.init(rawValue:)),
                visibility: row.text(12, limit: 50).flatMap(TrailVisibility.init(rawValue:)),
                box: box
            )
            edges.append(edge)
            let metres = Geodesy.distance(start, end)
            if metres > 0 { leastCost = min(leastCost, cost / metres, edge.reverseCost / metres) }
            return true
        }
        if leastCost == .infinity { leastCost = 0 }
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
        let isOnEarth = row.withBytes(9) { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let (latitude, longitude) = (Float(bytes, offset), Float(bytes, offset + 4))
                guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return false }
                numbers.append(latitude)
                numbers.append(longitude)
            }
            return bytes.count % 8 == 0
        }
        guard isOnEarth else { throw invalid(row, "an edge whose points are not all on Earth") }
        try checkPointCount(Double(numbers.count / 2))
    }

    /// Returns where a text is in the list, after adding it if it is not.
    private mutating func text(_ row: UntrustedRow, _ column: CInt) throws -> UInt16 {
        guard var text = row.text(column, limit: 1000), !text.isEmpty else { return 0 }
        while text.utf8.count > GraphLimits.textLength { text.removeLast() }
        if let index = textIndexes[text] { return index }
        textsLength += text.utf8.count
        guard texts.count < GraphLimits.textCount, textsLength <= GraphLimits.textsLength else {
            let limits = (GraphLimits.textCount, GraphLimits.textsLength / 1_000_000)
            throw GraphLimits.exceeded(database.name, "\(limits.0) names, or \(limits.1) MB of them")
        }
        let index = UInt16(texts.count)
        textIndexes[text] = index
        texts.append(text)
        return index
    }
}

extension Float {
    /// Reads a number in the order of bytes of the file.
    fileprivate init(_ bytes: UnsafeRawBufferPointer, _ offset: Int) {
        self.init(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
}
