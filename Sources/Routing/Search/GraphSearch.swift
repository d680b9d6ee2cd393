import RegionModel

/// A search (A*) for the cheapest ways from a place to another, or backwards.
///
/// The estimate of the rest of a way is its straight line at the least cost of a metre of all edges, so it is never too high, and
/// the costs are those of Dijkstra's search, which adds them in the same order. A node for which a lesser cost is found later is looked
/// at again. Costs of 0 end, too: only a lesser cost counts.
struct GraphSearch {
    /// A node at which a way begins or ends, and the cost of the part of an edge between the place and the node.
    struct Exit: Hashable {
        var node: Int
        var cost: Double
        /// The end of the edge at which the node is: 0 or 1.
        var part = 0.0
    }

    private let graph: RoutingGraph
    private let isBackward: Bool
    private let starts: [Exit]
    private let goals: [Exit]
    /// The cost of the way to each node, or from it in a search backwards; infinite if none was found.
    private(set) var costs: [Double]
    /// The last step to each node, seen in the direction of walking.
    private var steps: [GraphStep]

    private static let noStep = GraphStep(edge: Int(Int32.max >> 1), isForward: false)

    /// Creates a search, from nodes to nodes.
    init(of graph: RoutingGraph, from starts: [Exit], to goals: [Exit], isBackward: Bool = false) {
        self.graph = graph
        self.isBackward = isBackward
        self.starts = starts
        self.goals = goals
        costs = Array(repeating: .infinity, count: graph.nodeCount)
        steps = Array(repeating: Self.noStep, count: graph.nodeCount)
    }

    /// Searches until nothing cheaper can be found.
    ///
    /// - Parameter known: The cost of a way that is known.
    /// - Returns: The goal to which a cheaper way leads, and its whole cost; nil if there is none.
    mutating func findBest(cheaperThan known: Double = .infinity) -> (goal: Exit, cost: Double)? {
        var best: (goal: Exit, cost: Double)?
        var limit = known
        let goals = goals
        func look(_ node: Int, _ cost: Double) {
            for goal in goals where goal.node == node && cost + goal.cost < limit {
                limit = cost + goal.cost
                best = (goal, limit)
            }
        }
        run(while: { $0 < limit }, found: look)
        return best
    }

    /// Searches all nodes through which a way of at most a cost leads.
    mutating func findAll(atMost limit: Double) { run(while: { $0 <= limit }, found: { _, _ in }) }

    /// Looks at nodes as long as the least cost of a way through them is good enough; calls `found` with each cost of a node that is found.
    private mutating func run(while isGood: (Double) -> Bool, found: (Int, Double) -> Void) {
        var queue = SearchQueue()
        let graph = graph
        let ends = goals.map { (coordinate: graph.nodes[$0.node].coordinate, cost: $0.cost) }
        func insert(_ node: Int, _ cost: Double) {
            let coordinate = graph.nodes[node].coordinate
            var rest = Double.infinity
            for end in ends {
                rest = min(rest, graph.leastCost * Geodesy.distance(coordinate, end.coordinate) + end.cost)
            }
            let sum = cost + (ends.isEmpty ? 0 : rest)
            if isGood(sum) { queue.insert(SearchQueue.Entry(sum: sum, cost: cost, node: Int32(node))) }
        }
        for start in starts where start.cost < costs[start.node] {
            costs[start.node] = start.cost
            found(start.node, start.cost)
            insert(start.node, start.cost)
        }
        while let entry = queue.removeFirst(), isGood(entry.sum) {
            let node = Int(entry.node)
            guard entry.cost == costs[node] else { continue }
            for step in graph.steps(from: node) {
                let edge = graph.edges[step.edge]
                let next = Int(step.isForward ? edge.to : edge.from)
                let cost = entry.cost + (step.isForward != isBackward ? edge.cost : edge.reverseCost)
                guard cost < costs[next] else { continue }
                costs[next] = cost
                steps[next] = GraphStep(edge: step.edge, isForward: step.isForward != isBackward)
                found(next, cost)
                insert(next, cost)
            }
        }
    }

    /// The step by which a node was found, seen in the direction of walking; nil if the way begins there, or if there is none.
    func step(of node: Int) -> GraphStep? { steps[node] == Self.noStep ? nil : steps[node] }

    /// Returns the steps between a node and the place of the beginning, in the direction of walking, and the node at the place.
    func steps(to node: Int) -> (end: Int, steps: [GraphStep]) {
        var (node, found) = (node, [GraphStep]())
        while let step = step(of: node) {
            found.append(step)
            node = isBackward ? graph.end(of: step) : graph.start(of: step)
        }
        return (node, isBackward ? found : found.reversed())
    }
}
