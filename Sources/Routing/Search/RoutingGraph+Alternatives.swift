/// Other ways than the best one.
///
/// They are found by plateaus: where the tree of the cheapest ways from the start and the tree of those to the goal have the same edges,
/// a way leads through all of them. Two searches find all such ways. Each consists of cheapest ways to, along and from its plateau,
/// so it makes no detours to be different, as ways do that are found by raising the costs of the best one's edges.
extension RoutingGraph {
    /// The greatest cost of a way, as a multiple of the best one's.
    private static let costFactor = 1.6
    /// The least cost of a plateau, as a part of the best way's cost.
    ///
    /// No shorter part of the way can be replaced by a cheaper one around the plateau.
    private static let plateauPart = 0.2
    /// The part of the length in which a way differs from every better one.
    private static let difference = 1.0 / 3
    /// How many ways are compared with one another.
    private static let candidateCount = 100

    /// Returns the best way and others that differ from every better one, the cheapest first.
    func alternatives(to best: GraphLeg, from start: GraphPlace, to goal: GraphPlace, atMost count: Int) -> [GraphLeg] {
        guard count > 1, best.cost > 0, best.distance > 0 else { return [best] }
        let (starts, goals) = (exits(start, isGoal: false), exits(goal, isGoal: true))
        let limit = best.cost * Self.costFactor
        var there = GraphSearch(of: self, from: starts, to: goals)
        there.findAll(atMost: limit)
        var back = GraphSearch(of: self, from: goals, to: starts, isBackward: true)
        back.findAll(atMost: limit)
        let plateaus = plateaus(there, back, from: Self.plateauPart * best.cost, limit)
        let legs = plateaus.prefix(Self.candidateCount).compactMap { node -> GraphLeg? in
            let (first, before) = there.steps(to: node)
            let (last, after) = back.steps(to: node)
            guard isWithoutLoops(before + after, from: first) else { return nil }
            let leg = leg(
                from: start,
                starts.filter { $0.node == first }.min { $0.cost < $1.cost },
                before + after,
                goals.filter { $0.node == last }.min { $0.cost < $1.cost },
                to: goal
            )
            // Both ends can be on the same edge.
            guard let first = leg.pieces.first, let last = leg.pieces.last, leg.cost <= limit,
                leg.pieces.count < 2 || first.common(with: last) == 0
            else { return nil }
            return leg
        }
        return legs.sorted { $0.cost < $1.cost }.reduce(into: [best]) { found, leg in
            if found.count < count, found.allSatisfy({ differs(leg, from: $0) }) { found.append(leg) }
        }
    }

    /// Returns the first node of each plateau, that of the best one first: a long one on a cheap way.
    private func plateaus(_ there: GraphSearch, _ back: GraphSearch, from least: Double, _ limit: Double) -> [Int] {
        func next(_ node: Int) -> Int? {
            guard let step = back.step(of: node), there.step(of: end(of: step)) == step else { return nil }
            return end(of: step)
        }
        var found: [(node: Int, rank: Double)] = []
        for node in nodes.indices where there.costs[node] + back.costs[node] <= limit {
            if let step = there.step(of: node), back.step(of: start(of: step)) == step { continue }
            var last = node
            while let node = next(last) { last = node }
            let cost = there.costs[last] - there.costs[node]
            if last != node, cost >= least { found.append((node, there.costs[node] + back.costs[node] - cost)) }
        }
        return found.sorted { $0.rank < $1.rank }.map(\.node)
    }

    /// Returns whether steps come to no node twice.
    private func isWithoutLoops(_ steps: [GraphStep], from first: Int) -> Bool {
        var nodes: Set = [first]
        return steps.allSatisfy { nodes.insert(end(of: $0)).inserted }
    }

    /// Returns whether a way differs from another in more than a third of its length.
    private func differs(_ leg: GraphLeg, from other: GraphLeg) -> Bool {
        let pieces = Dictionary(grouping: other.pieces, by: \.edge)
        let common = leg.pieces.reduce(0.0) { sum, piece in
            let shares = pieces[piece.edge, default: []].map { $0.common(with: piece) }
            return sum + edges[piece.edge].distance * shares.reduce(0, +)
        }
        return leg.distance - common > Self.difference * leg.distance
    }
}
