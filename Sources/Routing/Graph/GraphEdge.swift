import RegionModel

/// A node of a graph, at which edges meet.
struct GraphNode {
    /// The position.
    let coordinate: Coordinate
    /// The elevation above sea level, in metres; NaN if it is not known.
    let elevation: Double
}

/// An edge of a graph: a way between two nodes.
struct GraphEdge {
    /// The positions of its ends in the list of nodes.
    let (from, to): (Int32, Int32)
    /// The cost in its direction, and the one against it; infinite where it must not be walked.
    let (cost, reverseCost): (Double, Double)
    /// The length, in metres.
    let distance: Double
    /// The ascent and the descent in its direction, in metres; positive numbers.
    let (gain, loss): (Double, Double)
    /// Where its points between its ends are in the list of numbers of all points.
    let (firstNumber, lastNumber): (Int32, Int32)
    /// The name and the surface in the list of texts.
    let (name, surface): (UInt16, UInt16)
    let kind: WayKind
    let sacScale: SACScale?
    let visibility: TrailVisibility?
}

/// The area in which an edge is, in degrees, rounded outwards.
struct EdgeBox {
    private var (south, north) = (Float.infinity, -Float.infinity)
    private var (west, east) = (Float.infinity, -Float.infinity)

    /// Returns the area of a line.
    init(_ line: EdgeLine) {
        for index in 0..<line.count {
            let (latitude, longitude) = line[index]
            south = min(south, Float(latitude).nextDown)
            north = max(north, Float(latitude).nextUp)
            west = min(west, Float(longitude).nextDown)
            east = max(east, Float(longitude).nextUp)
        }
        // A line across 180° could be anywhere between.
        if east - west > 180 { (west, east) = (-181, 181) }
    }

    /// Returns how far a place is from the area at least, in degrees of latitude and of longitude.
    func distance(latitude: Double, longitude: Double) -> (latitude: Double, longitude: Double) {
        let (west, east) = (Double(west), Double(east))
        let beside = min(
            max(west - longitude, longitude - east),
            max(west + 360 - longitude, 0),
            max(longitude + 360 - east, 0)
        )
        return (max(0, Double(south) - latitude, latitude - Double(north)), max(0, beside))
    }
}

/// The points of an edge in its direction, its ends included.
struct EdgeLine {
    let (start, end): (Coordinate, Coordinate)
    /// Latitudes and longitudes.
    let numbers: ArraySlice<Float>

    /// The number of points.
    var count: Int { numbers.count / 2 + 2 }

    /// A point, in degrees.
    subscript(index: Int) -> (latitude: Double, longitude: Double) {
        if index == 0 { return (start.latitude, start.longitude) }
        guard index < count - 1 else { return (end.latitude, end.longitude) }
        let position = numbers.startIndex + 2 * (index - 1)
        return (Double(numbers[position]), Double(numbers[position + 1]))
    }

    /// A point.
    func coordinate(_ index: Int) -> Coordinate {
        let (latitude, longitude) = self[index]
        // All points are on Earth: the reader has looked.
        return Coordinate(latitude: latitude, longitude: longitude) ?? start
    }

    /// The lengths from the start to each point, in metres.
    var lengths: [Double] {
        var lengths = [0.0]
        lengths.reserveCapacity(count)
        var (previous, length) = (start, 0.0)
        for index in 1..<count {
            let point = coordinate(index)
            length += Geodesy.distance(previous, point)
            lengths.append(length)
            previous = point
        }
        return lengths
    }
}
