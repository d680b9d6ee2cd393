package import RegionModel

/// A routing database, read into memory.
///
/// A graph has nodes, at which ways meet, and edges between them. After reading, it does not need its file any more.
package final class RoutingGraph: Sendable {
    let nodes: [GraphNode]
    let edges: [GraphEdge]
    /// Names and surfaces; the first is none.
    let texts: [String?]
    /// The least cost of a metre of straight line between the ends of an edge, less than what rounding could add.
    let leastCost: Double
    private let numbers: [Float]
    /// The steps from each node, one node after the other, and where those of each node begin.
    private let steps: [GraphStep]
    private let firstSteps: [Int32]
    /// A number for each node: nodes between which edges lead, in either direction, have the same.
    private let islands: [Int32]

    /// The area of the nodes.
    package let bounds: BoundingBox

    /// The number of nodes.
    package var nodeCount: Int { nodes.count }

    /// The number of edges.
    package var edgeCount: Int { edges.count }

    /// Reads an untrusted file of a store.
    ///
    /// - Throws: `RegionStoreError` if the file cannot be read, is no routing database, is too large, or has nodes or edges that
    ///   cannot be, such as those with negative costs.
    package init(reading path: String) throws {
        let reader = try GraphReader(path)
        nodes = reader.nodes
        edges = reader.edges
        numbers = reader.numbers
        texts = reader.texts
        leastCost = reader.leastCost * (1 - 1e-9)
        bounds = Self.bounds(reader.nodes)
        (steps, firstSteps) = Self.steps(reader.edges, nodeCount: reader.nodes.count)
        islands = Self.islands(reader.edges, nodeCount: reader.nodes.count)
    }

    /// The number of the island on which an edge is.
    func island(of edge: Int) -> Int32 { islands[Int(edges[edge].from)] }

    /// The number of edges on an island.
    func edgeCount(ofIsland island: Int32) -> Int { edges.indices.count { self.island(of: $0) == island } }

    /// The points of an edge in its direction, its ends included.
    func points(of edge: Int) -> [Coordinate] {
        let properties = edges[edge]
        let numbers = numbers[Int(properties.firstNumber)..<Int(properties.lastNumber)]
        var points: [Coordinate] = []
        points.reserveCapacity(numbers.count / 2 + 2)
        points.append(nodes[Int(properties.from)].coordinate)
        for index in stride(from: numbers.startIndex, to: numbers.endIndex, by: 2) {
            // All points are on Earth: the reader has looked.
            let point = Coordinate(latitude: Double(numbers[index]), longitude: Double(numbers[index + 1]))
            if let point { points.append(point) }
        }
        points.append(nodes[Int(properties.to)].coordinate)
        return points
    }

    /// The steps from a node along its edges, also where they must not be walked in that direction.
    func steps(from node: Int) -> ArraySlice<GraphStep> {
        steps[Int(firstSteps[node])..<Int(firstSteps[node + 1])]
    }

    /// The node at which a step ends.
    func end(of step: GraphStep) -> Int { Int(step.isForward ? edges[step.edge].to : edges[step.edge].from) }

    /// The node at which a step begins.
    func start(of step: GraphStep) -> Int { Int(step.isForward ? edges[step.edge].from : edges[step.edge].to) }

    /// Returns an angle as one between -180° and 180°.
    static func lessThanHalfATurn(_ degrees: Double) -> Double {
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
    }

    private static func steps(_ edges: [GraphEdge], nodeCount: Int) -> ([GraphStep], [Int32]) {
        var ends = [Int32](repeating: 0, count: nodeCount + 1)
        // An edge back to its node is on no shortest way.
        for edge in edges where edge.from != edge.to {
            ends[Int(edge.from)] += 1
            ends[Int(edge.to)] += 1
        }
        var sum: Int32 = 0
        for node in ends.indices {
            sum += ends[node]
            ends[node] = sum
        }
        var steps = [GraphStep](repeating: GraphStep(edge: 0, isForward: true), count: Int(sum))
        // Backwards, so that each number becomes that of the first step, and the steps are in the order of the edges.
        for (index, edge) in edges.enumerated().reversed() where edge.from != edge.to {
            for (node, isForward) in [(Int(edge.from), true), (Int(edge.to), false)] {
                ends[node] -= 1
                steps[Int(ends[node])] = GraphStep(edge: index, isForward: isForward)
            }
        }
        return (steps, ends)
    }

    private static func islands(_ edges: [GraphEdge], nodeCount: Int) -> [Int32] {
        var parents = (0..<nodeCount).map { Int32($0) }
        func root(_ node: Int32) -> Int32 {
            var node = node
            while parents[Int(node)] != node {
                parents[Int(node)] = parents[Int(parents[Int(node)])]
                node = parents[Int(node)]
            }
            return node
        }
        for edge in edges {
            let (one, other) = (root(edge.from), root(edge.to))
            // The lower number stays, so chains are short.
            parents[Int(max(one, other))] = min(one, other)
        }
        return (0..<nodeCount).map { root(Int32($0)) }
    }

    private static func bounds(_ nodes: [GraphNode]) -> BoundingBox {
        func range(_ value: (Coordinate) -> Double) -> (least: Double, greatest: Double) {
            nodes.reduce((.infinity, -.infinity)) { (min($0.0, value($1.coordinate)), max($0.1, value($1.coordinate))) }
        }
        let (latitudes, longitudes) = (range(\.latitude), range(\.longitude))
        // The longitudes from Greenwich eastwards: an area across 180° is narrower there.
        let across = range { $0.longitude < 0 ? $0.longitude + 360 : $0.longitude }
        let isAcross = longitudes.greatest - longitudes.least > 180 && across.greatest - across.least < 180
        return BoundingBox(
            north: latitudes.greatest,
            south: latitudes.least,
            east: isAcross ? across.greatest - 360 : longitudes.greatest,
            west: isAcross ? across.least : longitudes.least
        ) ?? .earth
    }
}
