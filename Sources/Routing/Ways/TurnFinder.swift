import Glibc
import RegionModel

/// Finds the turns of a way, as OpenHiker does: the same directions, distances and words.
enum TurnFinder {
    /// The least distance between two instructions, in metres.
    private static let spacing = 50.0
    /// The maximum number of instructions before the arrival: with usual names, they fit into a planned route.
    private static let maximumCount = 4000
    /// The changes of direction from which a turn is slight, plain and sharp, and from which it is one back, in degrees.
    private static let (slight, plain, sharp, back) = (15.0, 45.0, 135.0, 170.0)

    /// Returns the start, the turns and the arrival.
    static func turns(of line: WayLine) -> [TurnInstruction] {
        let points = line.coordinates
        guard let start = points.first, let end = points.last, points.count > 1 else { return [] }
        let name = line.junctions.first?.name
        let bearing = bearing(start, points[1])
        var turns = [
            TurnInstruction(
                coordinate: start,
                direction: .start,
                bearing: bearing,
                distanceFromPrevious: 0,
                cumulativeDistance: 0,
                trailName: name,
                description: "Head \(quarter(bearing))" + (name.map { " on \($0)" } ?? "")
            )
        ]
        var previous = 0.0
        for junction in line.junctions.dropFirst() where (1..<points.count - 1).contains(junction.point) {
            let point = points[junction.point]
            let bearing = Self.bearing(point, points[junction.point + 1])
            let turn = turn(from: Self.bearing(points[junction.point - 1], point), to: bearing)
            guard let (direction, words) = turn, junction.distance - previous >= spacing,
                turns.count < maximumCount
            else { continue }
            turns.append(
                TurnInstruction(
                    coordinate: point,
                    direction: direction,
                    bearing: bearing,
                    distanceFromPrevious: junction.distance - previous,
                    cumulativeDistance: junction.distance,
                    trailName: junction.name,
                    description: words + (junction.name.map { " onto \($0)" } ?? " heading \(quarter(bearing))")
                )
            )
            previous = junction.distance
        }
        turns.append(
            TurnInstruction(
                coordinate: end,
                direction: .arrive,
                bearing: 0,
                distanceFromPrevious: line.distance - previous,
                cumulativeDistance: line.distance,
                description: "Arrive at destination"
            )
        )
        return turns
    }

    /// Returns the turn between two bearings, and the words for it; nil for straight on.
    static func turn(from before: Double, to after: Double) -> (direction: TurnDirection, words: String)? {
        let change = RoutingGraph.lessThanHalfATurn(after - before)
        return switch abs(change) {
        case ..<slight: nil
        case ..<plain: change > 0 ? (.slightRight, "Bear right") : (.slightLeft, "Bear left")
        case ..<sharp: change > 0 ? (.right, "Turn right") : (.left, "Turn left")
        case ..<back: change > 0 ? (.sharpRight, "Sharp right") : (.sharpLeft, "Sharp left")
        default: (.uTurn, "U-turn")
        }
    }

    /// Returns the bearing from a point to another, in degrees from north, from 0 to less than 360.
    static func bearing(_ start: Coordinate, _ end: Coordinate) -> Double {
        let degree = Double.pi / 180
        let (latitude, other) = (start.latitude * degree, end.latitude * degree)
        let longitude = (end.longitude - start.longitude) * degree
        let east = sin(longitude) * cos(other)
        let north = cos(latitude) * sin(other) - sin(latitude) * cos(other) * cos(longitude)
        let bearing = atan2(east, north) / degree
        return bearing < 0 ? bearing + 360 : bearing
    }

    private static func quarter(_ bearing: Double) -> String {
        let quarters = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
        return quarters[Int((bearing / 45).rounded()) % quarters.count]
    }
}
