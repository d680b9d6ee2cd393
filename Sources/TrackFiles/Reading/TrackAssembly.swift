import PeerStorage
import RegionModel

/// The items of a file that is being read, whatever its format, within the limits on a file.
struct TrackAssembly {
    let limits: GPXLimits
    var conversion: GPXConversion
    private var pointCount = 0
    // A line may wind around the Earth once.
    private static let longitudes = -540.0...540.0

    /// Creates a file without items.
    init(_ limits: GPXLimits, _ conversion: GPXConversion) {
        self.limits = limits
        self.conversion = conversion
    }

    /// Returns the position of a point, which is counted; nil if it has none on Earth.
    mutating func position(_ latitude: Double?, _ longitude: Double?) throws(RegionStoreError) -> Coordinate? {
        pointCount += 1
        guard pointCount <= limits.pointCount else { throw tooMany(limits.pointCount, "points") }
        guard let latitude, let longitude,
            let coordinate = Coordinate(latitude: latitude, longitude: Self.wrapped(longitude))
        else {
            // Some programs mark a pause with a latitude of 100 degrees.
            conversion.texts.leftOut.badPoints += 1
            return nil
        }
        if latitude == 0, longitude == 0 { conversion.pointsAtZero += 1 }
        return coordinate
    }

    /// Returns a longitude within 180 degrees: lines over the antimeridian are often written beyond it.
    private static func wrapped(_ longitude: Double) -> Double {
        guard abs(longitude) > 180, longitudes.contains(longitude) else { return longitude }
        return longitude < 0 ? longitude + 360 : longitude - 360
    }

    /// Returns an elevation; nil if it is not possible on Earth, which is counted.
    mutating func elevation(_ metres: Double?) -> Double? {
        guard let metres else { return nil }
        guard TrackLimits.elevations.contains(metres) else {
            conversion.texts.leftOut.badElevations += 1
            return nil
        }
        return metres
    }

    /// Adds a waypoint.
    ///
    /// - Parameters:
    ///   - place: The waypoint.
    ///   - held: The memory of what else is being read, in bytes.
    /// - Throws: `RegionStoreError` if the file has too much.
    mutating func add(_ place: GPXContent.Place, whileHolding held: Int = 0) throws(RegionStoreError) {
        conversion.add(place)
        guard conversion.waypointCount <= limits.waypointCount else { throw tooMany(limits.waypointCount, "waypoints") }
        try check(held)
    }

    /// Adds a route or track, if it has points.
    mutating func add(_ line: GPXContent.Line, whileHolding held: Int = 0) throws(RegionStoreError) {
        guard let line = line.complete else {
            conversion.texts.leftOut.emptyLines += 1
            return
        }
        try conversion.add(line)
        guard conversion.lineCount <= ModelLimits.maximumItemCount else {
            throw tooMany(ModelLimits.maximumItemCount, "routes and tracks")
        }
        try check(held)
    }

    /// Throws if the content takes too much memory.
    ///
    /// - Parameter held: The memory of what is being read, in bytes.
    /// - Throws: `RegionStoreError` `invalidFile`.
    func check(_ held: Int) throws(RegionStoreError) {
        guard conversion.heldLength + held <= limits.heldLength else {
            throw RegionStoreError(
                .invalidFile,
                "The file has too much content to be imported at once.",
                remedy: Self.split
            )
        }
    }

    /// Returns the error for a file with too many of something.
    func tooMany(_ count: Int, _ noun: String) -> RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "The file has more than \(GPXNumber.grouped(count)) \(noun).",
            remedy: Self.split
        )
    }

    private static let split = "Divide it into several files, and import them one by one."
}

extension GPXContent.Line {
    /// Begins a segment with the next point.
    mutating func beginSegment() {
        if track.segmentStarts.last != track.points.count { track.segmentStarts.append(track.points.count) }
    }

    /// Adds a point.
    mutating func append(
        _ point: TrackPoint,
        _ sensors: [(sensor: TrackSensor, value: Double)] = [],
        _ leftOut: inout GPXLeftOut
    ) {
        let index = track.points.count
        track.points.append(point)
        if point.time != nil { hasTimes = true }
        for (sensor, value) in sensors {
            let isSet = track.sensors[sensor, default: SensorValues()].set(unit: value, at: index)
            if !isSet { leftOut.badSensors += 1 }
        }
    }

    /// The line with its segments, none of them empty; nil if it has no points.
    var complete: GPXContent.Line? {
        guard !track.points.isEmpty else { return nil }
        var line = self
        while line.track.segmentStarts.last == track.points.count { line.track.segmentStarts.removeLast() }
        if line.track.segmentStarts.first != 0 { line.track.segmentStarts.insert(0, at: 0) }
        return line
    }
}
