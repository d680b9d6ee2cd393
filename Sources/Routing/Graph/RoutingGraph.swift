package import RegionModel

/// A routing database, read into memory.
///
/// A graph has nodes, at which ways meet, and edges between them. After reading, it does not need its file any more.
package final class RoutingGraph: Sendable {
    let nodes: [GraphNode]
    let edges: [GraphEdge]
    let boxes: [EdgeBox]
    let texts: [String]
    /// The least cost of a metre of straight line between the ends of an edge, less than what rounding could add.
    let leastCost: Double
    private let numbers: [Float]
    /// The steps from each node, one node after the other, and where those of each node begin.
    private let steps: [GraphStep]
    private let firstSteps: [Int32]

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
        boxes = reader.boxes
        numbers = reader.numbers
        texts = reader.texts.list
        leastCost = reader.leastCost * (1 - 1e-9)
        bounds = Self.bounds(reader.nodes)
        (steps, firstSteps) = Self.steps(reader.edges, nodeCount: reader.nodes.count)
    }

    /// The line of an edge.
    func line(_ edge: Int) -> EdgeLine {
        let properties = edges[edge]
        return EdgeLine(
            start: nodes[Int(properties.from)].coordinate,
            end: nodes[Int(properties.to)].coordinate,
            numbers: numbers[Int(properties.firstNumber)..<Int(properties.lastNumber)]
        )
    }

    /// The steps from a node along its edges, also where they must not be walked in that direction.
    func steps(from node: Int) -> ArraySlice<GraphStep> {
        steps[Int(firstSteps[node])..<Int(firstSteps[node + 1])]
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

    private static func bounds(_ nodes: [GraphNode]) -> BoundingBox {
        func range(_ value: (Coordinate) -> Double) -> (least: Double, greatest: Double) {
            nodes.reduce((Double.infinity, -Double.infinity)) { range, node in
                let value = value(node.coordinate)
                return (min(range.0, value), max(range.1, value))
            }
        }
        let (south, north) = range(\.latitude)
        var (west, east) = range(\.longitude)
        if east - west > 180 {
            // Probably an area across 180°.
            let across = range { $0.longitude < 0 ? $0.longitude + 360 : $0.longitude }
            if across.greatest - across.least < east - west {
                (west, east) = (across.least, across.greatest > 180 ? across.greatest - 360 : across.greatest)
            }
        }
        return BoundingBox(north: north, south: south, east: east, west: west) ?? .earth
    }
}

/// A step along an edge, from one of its ends to the other.
struct GraphStep: Hashable {
    private let number: Int32

    /// The position of the edge in the list.
    var edge: Int { Int(number >> 1) }

    /// Whether the step is in the direction of the edge.
    var isForward: Bool { number & 1 == 0 }

    init(edge: Int, isForward: Bool) {
        number = Int32(edge) << 1 | (isForward ? 0 : 1)
    }
}
