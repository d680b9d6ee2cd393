package import RegionModel

/// Why no way could be planned.
package enum PlanningError: Error, Hashable {
    /// The graph has nothing within 1 km of a place: its position in the list, and how far the nearest way is, in metres.
    case tooFar(place: Int, metres: Double)
    /// No way leads from a place to the next: where the ways from it come nearest to that one, and how many metres are missing.
    ///
    /// 0 metres are missing if the ways there must not be walked in the direction.
    case noWay(from: Int, reached: Coordinate, metres: Double)
    /// A way needs at least a start and an end.
    case tooFewPlaces
}
