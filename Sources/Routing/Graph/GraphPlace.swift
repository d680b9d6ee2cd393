import Glibc
import RegionModel

/// A place on a graph: a node, or a point of an edge.
struct GraphPlace: Hashable {
    /// The edge, and the part of its length at which the place is, from 0 to 1.
    var edge: Int
    var part: Double
    /// The node at which the place is; nil if it is between the ends of the edge.
    var node: Int?
    /// The position.
    var coordinate: Coordinate
}

extension RoutingGraph {
    /// The distance from a node within which a place is taken to be at the node, in metres.
    ///
    /// Positions in files have about that precision, and a way should not begin with a step of some centimetres.
    private static let nodeRadius = 1.0

    /// Returns the point of the graph that is nearest to a place, and its distance in metres; nil if there are no edges.
    ///
    /// This looks at the areas of all edges, which takes a millisecond for the largest graph. So it needs no index.
    ///
    /// - Parameter isAllowed: Returns whether a point of an edge may be returned.
    func nearest(
        to place: Coordinate,
        where isAllowed: (Int) -> Bool = { _ in true }
    ) -> (place: GraphPlace, metres: Double)? {
        // Within a kilometre, the earth is flat: distances are those of degrees of latitude.
        let scale = max(cos(place.latitude * .pi / 180), 1e-6)
        func flat(_ point: Coordinate) -> (x: Double, y: Double) {
            (Self.lessThanHalfATurn(point.longitude - place.longitude) * scale, point.latitude - place.latitude)
        }
        var best = (distance: Double.infinity, edge: 0, segment: 0, part: 0.0)
        for edge in edges.indices {
            let (north, east) = edges[edge].box.distance(to: place)
            guard east * scale * east * scale + north * north < best.distance, isAllowed(edge) else { continue }
            let points = points(of: edge)
            var start = flat(points[0])
            for index in 1..<points.count {
                let end = flat(points[index])
                let (width, height) = (end.x - start.x, end.y - start.y)
                let length = width * width + height * height
                let part = length > 0 ? min(1, max(0, -(start.x * width + start.y * height) / length)) : 0
                let (restX, restY) = (start.x + part * width, start.y + part * height)
                let distance = restX * restX + restY * restY
                if distance < best.distance { best = (distance, edge, index - 1, part) }
                start = end
            }
        }
        guard best.distance < .infinity else { return nil }
        let points = points(of: best.edge)
        let lengths = Self.lengths(points)
        let start = Self.point(between: points[best.segment], points[best.segment + 1], best.part)
        let length = lengths[best.segment] + Geodesy.distance(points[best.segment], start)
        let rest = (lengths.last ?? 0) - length
        var found = GraphPlace(edge: best.edge, part: length / (length + rest), node: nil, coordinate: start)
        if min(length, rest) <= Self.nodeRadius {
            let node = Int(length <= rest ? edges[best.edge].from : edges[best.edge].to)
            found.node = node
            found.coordinate = nodes[node].coordinate
        }
        return (found, Geodesy.distance(place, found.coordinate))
    }

    /// The points of a part of an edge, in the direction of walking, its ends included.
    func points(of piece: LegPiece) -> [Coordinate] {
        let (low, high) = (min(piece.start, piece.end), max(piece.start, piece.end))
        var points = points(of: piece.edge)
        if low > 0 || high < 1 {
            let lengths = Self.lengths(points)
            let (start, end) = (low * (lengths.last ?? 0), high * (lengths.last ?? 0))
            let between = points.indices.filter { lengths[$0] > start && lengths[$0] < end }.map { points[$0] }
            points = [Self.point(of: points, lengths, at: start)] + between + [Self.point(of: points, lengths, at: end)]
        }
        return piece.start > piece.end ? points.reversed() : points
    }

    /// Returns the lengths from the start of a line to each of its points, in metres.
    private static func lengths(_ points: [Coordinate]) -> [Double] {
        zip(points, points.dropFirst()).reduce(into: [0]) { $0.append(($0.last ?? 0) + Geodesy.distance($1.0, $1.1)) }
    }

    private static func point(of points: [Coordinate], _ lengths: [Double], at length: Double) -> Coordinate {
        let index = min(max(1, lengths.firstIndex { $0 >= length } ?? .max), points.count - 1)
        let whole = lengths[index] - lengths[index - 1]
        let part = whole > 0 ? (length - lengths[index - 1]) / whole : 0
        return point(between: points[index - 1], points[index], min(1, max(0, part)))
    }

    private static func point(between start: Coordinate, _ end: Coordinate, _ part: Double) -> Coordinate {
        if part == 0 || part == 1 { return part == 0 ? start : end }
        let east = lessThanHalfATurn(end.longitude - start.longitude)
        let longitude = lessThanHalfATurn(start.longitude + part * east)
        let latitude = start.latitude + part * (end.latitude - start.latitude)
        return Coordinate(latitude: latitude, longitude: longitude) ?? start
    }
}
