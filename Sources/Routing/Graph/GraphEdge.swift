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
    let box: EdgeBox

    /// The number of points, one of the ends included.
    var pointCount: Int { Int(lastNumber - firstNumber) / 2 + 1 }
}

/// The area in which an edge is: latitudes and longitudes, with a margin for what rounding does.
struct EdgeBox {
    private var low = SIMD2<Float>(repeating: .infinity)
    private var high = SIMD2<Float>(repeating: -.infinity)
    private static let margin = SIMD2<Float>(repeating: 1e-4)

    /// Extends the area by a point.
    mutating func add(_ latitude: Float, _ longitude: Float) {
        low = pointwiseMin(low, SIMD2(latitude, longitude) - Self.margin)
        high = pointwiseMax(high, SIMD2(latitude, longitude) + Self.margin)
    }

    /// Returns how many degrees of latitude and of longitude a place is away at least.
    func distance(to place: Coordinate) -> (latitude: Double, longitude: Double) {
        let place = SIMD2(Float(place.latitude), Float(place.longitude))
        let gap = pointwiseMax(pointwiseMax(low - place, place - high), .zero)
        let width = high.y - low.y
        // An edge across 180° can be at any longitude.
        let longitude = width > 180 ? 0 : min(gap.y, max(0, 360 - gap.y - width))
        return (Double(gap.x), Double(longitude))
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
