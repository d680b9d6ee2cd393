import RegionModel

/// A part of an edge, between two parts of its length; against its direction if the first is greater.
struct LegPiece: Hashable {
    var edge: Int
    var start: Double
    var end: Double

    /// How much of the edge this is, from 0 to 1.
    var share: Double { abs(end - start) }

    /// Returns how much of the edge both pieces have.
    func common(with other: LegPiece) -> Double {
        guard edge == other.edge else { return 0 }
        return max(
            0,
            min(max(start, end), max(other.start, other.end)) - max(min(start, end), min(other.start, other.end))
        )
    }
}

/// A way between two places of a graph.
struct GraphLeg: Hashable {
    var pieces: [LegPiece]
    /// The sum of the costs from the start to the end.
    var cost: Double
    /// The length, in metres.
    var distance: Double

    init(_ pieces: [LegPiece], in graph: RoutingGraph) {
        self.pieces = pieces
        cost = pieces.reduce(0) { $0 + graph.cost(of: $1) }
        distance = pieces.reduce(0) { $0 + graph.edges[$1.edge].distance * $1.share }
    }
}

extension RoutingGraph {
    /// The cost of a part of an edge, by its length.
    func cost(of piece: LegPiece) -> Double {
        let edge = edges[piece.edge]
        return (piece.end < piece.start ? edge.reverseCost : edge.cost) * piece.share
    }

    /// The nodes to which ways from a place lead first, or from which ways to a place come last.
    func exits(_ place: GraphPlace, isGoal: Bool) -> [GraphSearch.Exit] {
        if let node = place.node { return [GraphSearch.Exit(node: node, cost: 0)] }
        let edge = edges[place.edge]
        let exits = [(Int(edge.from), 0.0), (Int(edge.to), 1.0)].map { node, part in
            let (start, end) = isGoal ? (part, place.part) : (place.part, part)
            return GraphSearch.Exit(
                node: node,
                cost: cost(of: LegPiece(edge: place.edge, start: start, end: end)),
                part: part
            )
        }
        return exits.filter { $0.cost < .infinity }
    }

    /// Returns the cheapest way between two places, or the nodes that can be reached.
    func leg(from start: GraphPlace, to goal: GraphPlace) -> (leg: GraphLeg?, search: GraphSearch) {
        let direct = directLeg(from: start, to: goal)
        let starts = exits(start, isGoal: false)
        var search = GraphSearch(of: self, from: starts, to: exits(goal, isGoal: true))
        guard let best = search.findBest(cheaperThan: direct?.cost ?? .infinity) else { return (direct, search) }
        let (first, steps) = search.steps(to: best.goal.node)
        let firstExit = starts.filter { $0.node == first }.min { $0.cost < $1.cost }
        return (leg(from: start, firstExit, steps, best.goal, to: goal), search)
    }

    /// Returns the way along steps between nodes, and the parts of edges at its ends.
    func leg(
        from start: GraphPlace,
        _ first: GraphSearch.Exit?,
        _ steps: [GraphStep],
        _ last: GraphSearch.Exit?,
        to goal: GraphPlace
    ) -> GraphLeg {
        var pieces = steps.map { LegPiece(edge: $0.edge, start: $0.isForward ? 0 : 1, end: $0.isForward ? 1 : 0) }
        if start.node == nil, let first {
            pieces.insert(LegPiece(edge: start.edge, start: start.part, end: first.part), at: 0)
        }
        if goal.node == nil, let last { pieces.append(LegPiece(edge: goal.edge, start: last.part, end: goal.part)) }
        return GraphLeg(pieces, in: self)
    }

    /// The way between two places of the same edge, or at the same node, along which nothing is passed.
    private func directLeg(from start: GraphPlace, to goal: GraphPlace) -> GraphLeg? {
        if start.node == goal.node, start.node != nil { return GraphLeg([], in: self) }
        guard start.node == nil, goal.node == nil, start.edge == goal.edge else { return nil }
        if start.part == goal.part { return GraphLeg([], in: self) }
        let leg = GraphLeg([LegPiece(edge: start.edge, start: start.part, end: goal.part)], in: self)
        return leg.cost < .infinity ? leg : nil
    }
}
