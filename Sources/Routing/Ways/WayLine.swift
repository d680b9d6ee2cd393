import RegionModel

/// The line of a way, and what it consists of, put together from pieces of edges.
struct WayLine {
    /// Where the way goes from an edge to another.
    struct Junction {
        /// The point in the line.
        var point: Int
        /// The distance from the start, in metres.
        var distance: Double
        /// The name of the edge that begins there; nil if it has none.
        var name: String?
    }

    private let graph: RoutingGraph
    /// The points; no two neighbours are equal.
    var coordinates: [Coordinate] = []
    private(set) var distance = 0.0
    private(set) var ascent = 0.0
    private(set) var descent = 0.0
    private(set) var profile: [ElevationSample] = []
    private(set) var stretches: [WayStretch] = []
    /// The start, and the ends of all edges but the last.
    private(set) var junctions: [Junction] = []

    /// Creates an empty line.
    init(of graph: RoutingGraph) {
        self.graph = graph
    }

    /// Adds a piece.
    mutating func append(_ piece: LegPiece) {
        let edge = graph.edges[piece.edge]
        let (name, surface) = (graph.texts[Int(edge.name)], graph.texts[Int(edge.surface)])
        junctions.append(Junction(point: max(0, coordinates.count - 1), distance: distance, name: name))
        for point in graph.points(of: piece) where coordinates.last != point {
            coordinates.append(point)
        }
        addSample(edge, at: piece.start)
        let stretch = WayStretch(
            kind: edge.kind,
            sacScale: edge.sacScale,
            visibility: edge.visibility,
            surface: surface,
            name: name,
            start: distance,
            distance: edge.distance * piece.share
        )
        add(stretch)
        distance += stretch.distance
        let isForward = piece.start <= piece.end
        ascent += (isForward ? edge.gain : edge.loss) * piece.share
        descent += (isForward ? edge.loss : edge.gain) * piece.share
        addSample(edge, at: piece.end)
    }

    private mutating func add(_ stretch: WayStretch) {
        var same = stretch
        if let last = stretches.last { (same.start, same.distance) = (last.start, last.distance) }
        if stretches.last == same {
            stretches[stretches.count - 1].distance += stretch.distance
        } else if stretch.distance > 0 {
            stretches.append(stretch)
        }
    }

    /// Adds the elevation of a point of an edge: that of a node, or one between those of its nodes.
    private mutating func addSample(_ edge: GraphEdge, at part: Double) {
        let (from, to) = (graph.nodes[Int(edge.from)].elevation, graph.nodes[Int(edge.to)].elevation)
        let elevation = part == 0 ? from : part == 1 ? to : from + (to - from) * part
        guard !elevation.isNaN, profile.last.map({ $0.distance < distance }) ?? true else { return }
        profile.append(ElevationSample(distance: distance, elevation: elevation))
    }
}
