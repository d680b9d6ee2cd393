/// A geometry.
struct GeoJSONShape {
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
    var faults = GeoJSONFaults()

    /// Returns the line, with the values that its feature has for each position.
    func line(_ properties: GeoJSONProperties, _ leftOut: inout GPXLeftOut) -> GPXContent.Line {
        var line = GPXContent.Line(element: starts.count > 1 || hasTimes || !properties.times.isEmpty ? .track : .route)
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

/// What was counted while the positions of a geometry were read.
///
/// Its type may come behind them, and a geometry that is left out counts as one thing.
struct GeoJSONFaults {
    private var badPoints = 0
    private var badElevations = 0
    private var pointsAtZero = 0
    private var furtherNumbers = 0

    /// Creates the faults of no position.
    init() {}

    /// Creates what has been counted, or what has been counted since then.
    init(_ conversion: GPXConversion, since before: GeoJSONFaults = GeoJSONFaults()) {
        badPoints = conversion.texts.leftOut.badPoints - before.badPoints
        badElevations = conversion.texts.leftOut.badElevations - before.badElevations
        pointsAtZero = conversion.pointsAtZero - before.pointsAtZero
        furtherNumbers = conversion.texts.leftOut.furtherNumbers - before.furtherNumbers
    }

    /// Takes the faults of a geometry that is left out from what has been counted.
    func forget(in conversion: inout GPXConversion) {
        conversion.texts.leftOut.badPoints -= badPoints
        conversion.texts.leftOut.badElevations -= badElevations
        conversion.pointsAtZero -= pointsAtZero
        conversion.texts.leftOut.furtherNumbers -= furtherNumbers
    }
}
