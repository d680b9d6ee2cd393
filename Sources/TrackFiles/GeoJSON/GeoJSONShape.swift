/// A geometry.
struct GeoJSONShape {
    /// What was counted while the positions of a geometry were read: if it is left out, it counts as one thing.
    struct Faults {
        private static let kinds: [TrackOmissions.Kind] = [.badPoint, .badElevation, .furtherNumber]

        private var counts = [0, 0, 0]
        private var pointsAtZero = 0

        init() {}

        /// Returns what has been counted since then.
        init(_ assembly: TrackAssembly, since before: Faults = Faults()) {
            counts = zip(Self.kinds, before.counts).map { assembly.texts.leftOut[$0] - $1 }
            pointsAtZero = assembly.document.pointsAtZero - before.pointsAtZero
        }

        /// Takes the faults of a geometry that is left out from what has been counted.
        func forget(in assembly: inout TrackAssembly) {
            for (kind, count) in zip(Self.kinds, counts) { assembly.texts.leftOut[kind] -= count }
            assembly.document.pointsAtZero -= pointsAtZero
        }
    }

    var type = ""
    /// The positions; nil for those that are not on Earth.
    var points: [TrackPoint?] = []
    /// The indices of the positions with which lines begin.
    var starts: [Int] = []
    /// The number of lists in which there is nothing.
    var emptyCount = 0
    /// Whether positions have times themselves.
    var hasTimes = false
    /// What is wrong with its positions.
    var faults = Faults()

    /// Returns the line, with the values that its feature has for each position.
    func line(_ properties: GeoJSONProperties, _ leftOut: inout TrackOmissions) -> TrackContent.Line {
        var line = TrackContent.Line(
            element: starts.count > 1 || hasTimes || !properties.times.isEmpty ? .track : .route
        )
        line.words = properties.words
        let starts = Set(starts)
        for (index, point) in points.enumerated() {
            if starts.contains(index) { line.beginSegment() }
            guard var point else { continue }
            if index < properties.times.count { point.time = properties.times[index] }
            let values = properties.sensors.compactMap { sensor, list in
                list.values[index].map { (sensor: sensor, value: Double($0) / 1000) }
            }
            line.append(point, values, &leftOut)
        }
        return line
    }
}
