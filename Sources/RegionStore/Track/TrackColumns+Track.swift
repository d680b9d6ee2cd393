import FoundationEssentials
import PeerStorage

extension TrackColumns {
    /// The table of positions, elevations, times and segments.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - hasPositions: Whether the positions are in the table. A planned route has them elsewhere.
    init(of track: Track, hasPositions: Bool) {
        self.init(pointCount: track.points.count, segmentStarts: track.segments.map(\.lowerBound))
        if hasPositions {
            set(Column.latitude.rawValue) { Self.degrees(track.points[$0].coordinate.latitude) }
            set(Column.longitude.rawValue) { Self.degrees(track.points[$0].coordinate.longitude) }
        }
        set(Column.elevation.rawValue) { track.points[$0].elevation.flatMap(Self.millimetres) }
        set(Column.time.rawValue) { track.points[$0].time.flatMap(Timestamp.milliseconds) }
    }

    /// The table of the values of sensors; nil if there are none.
    init?(sensorsOf track: Track) {
        guard !track.points.isEmpty, track.sensors.contains(where: { !$0.value.isEmpty }) else { return nil }
        self.init(pointCount: track.points.count)
        for (sensor, values) in track.sensors { set(sensor.rawValue) { values[$0] } }
    }

    /// Returns ten-millionths of a degree.
    static func degrees(_ degrees: Double) -> Int64? { Int64(exactly: (degrees * 1e7).rounded()) }

    private static func millimetres(_ elevation: Double) -> Int64? { Int64(exactly: (elevation * 1000).rounded()) }

    /// Returns the points of a track, if the table belongs to it: it has as many points at the same positions.
    ///
    /// - Parameters:
    ///   - others: The points as the item has them.
    ///   - isSame: Whether the position of a point of the table is that of a point of the item. A table without positions takes
    ///     those of the item.
    /// - Returns: The points; nil if the table does not belong to the track.
    func points(
        for others: [TrackPoint],
        where isSame: (_ position: Coordinate, _ other: Coordinate) -> Bool
    ) -> [TrackPoint]? {
        guard others.count == pointCount else { return nil }
        var points: [TrackPoint] = []
        points.reserveCapacity(pointCount)
        for (index, other) in others.enumerated() {
            var point = TrackPoint(coordinate: other.coordinate)
            if let latitude = self[.latitude, index], let longitude = self[.longitude, index] {
                guard
                    let position = Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7),
                    isSame(position, other.coordinate)
                else { return nil }
                point.coordinate = position
            }
            point.elevation = self[.elevation, index].map { Double($0) / 1000 }
            point.time = self[.time, index].map { Date(timeIntervalSince1970: Double($0) / 1000) }
            points.append(point)
        }
        return points
    }

    /// The values of sensors.
    var sensors: [TrackSensor: SensorValues] {
        var sensors: [TrackSensor: SensorValues] = [:]
        for sensor in TrackSensor.allCases {
            guard let column = columns[sensor.rawValue] else { continue }
            var values = SensorValues()
            for (index, value) in column.enumerated() where value != Self.missing { values.set(value, at: index) }
            sensors[sensor] = values
        }
        return sensors
    }
}

extension SavedRoute {
    /// Returns the points of the hike: as its file had them, or as `trackData` has them if the item has nothing more exact.
    ///
    /// - Throws: ``RegionStoreError`` `invalidFile` if `trackData` cannot be read.
    package func track() throws(RegionStoreError) -> Track {
        let points = try TrackCodec.decode(trackData, startTime: startTime)
        var track = Track(points: points, segmentStarts: points.isEmpty ? [] : [0])
        if let table = supplement.track.flatMap({ try? TrackColumns(decoding: $0) }),
            let exact = table.points(for: points, where: Self.isRounded)
        {
            track.points = exact
            track.segmentStarts = table.segmentStarts
        }
        if let table = supplement.sensors.flatMap({ try? TrackColumns(decoding: $0) }),
            table.pointCount == points.count
        {
            track.sensors = table.sensors
        }
        return track
    }

    // The numbers of `trackData` are binary32.
    private static func isRounded(_ position: Coordinate, _ other: Coordinate) -> Bool {
        Float(position.latitude) == Float(other.latitude) && Float(position.longitude) == Float(other.longitude)
    }
}

extension PlannedRoute {
    /// Returns the points of the route as its file had them; nil if the route does not come from a file.
    package var track: Track? {
        guard supplement.words != nil, !coordinates.isEmpty else { return nil }
        let points = coordinates.map { TrackPoint(coordinate: $0) }
        guard let table = supplement.track.flatMap({ try? TrackColumns(decoding: $0) }),
            let exact = table.points(for: points, where: ==)
        else {
            // Elevations may be all that is known of a route that another program has changed.
            return elevationProfile == nil ? Track(points: points, segmentStarts: [0]) : nil
        }
        return Track(points: exact, segmentStarts: table.segmentStarts)
    }
}
