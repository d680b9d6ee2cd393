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
        func flat(_ point: (latitude: Double, longitude: Double)) -> (x: Double, y: Double) {
            var east = point.longitude - place.longitude
            if east > 180 { east -= 360 } else if east < -180 { east += 360 }
            return (east * scale, point.latitude - place.latitude)
        }
        var best = (distance: Double.infinity, edge: 0, segment: 0, part: 0.0)
        for edge in edges.indices {
            let (y, x) = boxes[edge].distance(latitude: place.latitude, longitude: place.longitude)
            guard x * scale * x * scale + y * y < best.distance, isAllowed(edge) else { continue }
            let line = line(edge)
            var start = flat(line[0])
            for index in 1..<line.count {
                let end = flat(line[index])
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
        let lengths = line(best.edge).lengths
        let length = lengths[best.segment] + (lengths[best.segment + 1] - lengths[best.segment]) * best.part
        let found = self.place(on: best.edge, at: length, of: lengths.last ?? 0)
        return (found, Geodesy.distance(place, found.coordinate))
    }

    private func place(on edge: Int, at length: Double, of whole: Double) -> GraphPlace {
        let ends = edges[edge]
        if min(length, whole - length) <= Self.nodeRadius {
            let isStart = length <= whole - length
            let node = Int(isStart ? ends.from : ends.to)
            return GraphPlace(edge: edge, part: isStart ? 0 : 1, node: node, coordinate: nodes[node].coordinate)
        }
        let part = length / whole
        let coordinate = line(edge).points(from: part, to: part).first ?? nodes[Int(ends.from)].coordinate
        return GraphPlace(edge: edge, part: part, node: nil, coordinate: coordinate)
    }
}

extension EdgeLine {
    /// Returns the points between two parts of the length, both included, in the order of the parts.
    func points(from first: Double, to last: Double) -> [Coordinate] {
        let (low, high) = (min(first, last), max(first, last))
        var points: [Coordinate] = []
        if low == 0, high == 1 {
            points = (0..<count).map { coordinate($0) }
        } else {
            let lengths = lengths
            let whole = lengths.last ?? 0
            points.append(point(at: low * whole, lengths))
            for index in 1..<count - 1 where lengths[index] > low * whole && lengths[index] < high * whole {
                points.append(coordinate(index))
            }
            if high > low { points.append(point(at: high * whole, lengths)) }
        }
        return first > last ? points.reversed() : points
    }

    private func point(at length: Double, _ lengths: [Double]) -> Coordinate {
        let index = min(max(1, lengths.firstIndex { $0 >= length } ?? count - 1), count - 1)
        let (start, end) = (coordinate(index - 1), coordinate(index))
        let whole = lengths[index] - lengths[index - 1]
        let part = whole > 0 ? min(1, max(0, (length - lengths[index - 1]) / whole)) : 0
        if part == 0 || part == 1 { return part == 0 ? start : end }
        var east = end.longitude - start.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        var longitude = start.longitude + part * east
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        let latitude = start.latitude + part * (end.latitude - start.latitude)
        return Coordinate(latitude: latitude, longitude: longitude) ?? start
    }
}
