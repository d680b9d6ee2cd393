import FoundationEssentials
import PeerStorage
package import RegionModel

extension TrackColumns {
    /// The table of positions, elevations, times and segments.
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

    /// Replaces the points of a track by those of the table, if the table has as many points, at the same positions.
    ///
    /// The points are replaced in place, because a long track and its table take several megabytes. A table without positions takes
    /// those of the item.
    func replace(
        _ points: inout [TrackPoint],
        where isSame: (_ position: Coordinate, _ other: Coordinate) -> Bool
    ) -> Bool {
        guard points.count == pointCount else { return false }
        for index in points.indices where self[.latitude, index] != nil && self[.longitude, index] != nil {
            guard let position = position(index), isSame(position, points[index].coordinate) else { return false }
        }
        for index in points.indices {
            points[index].coordinate = position(index) ?? points[index].coordinate
            points[index].elevation = self[.elevation, index].map { Double($0) / 1000 }
            points[index].time = self[.time, index].map { Date(timeIntervalSince1970: Double($0) / 1000) }
        }
        return true
    }

    private func position(_ index: Int) -> Coordinate? {
        guard let latitude = self[.latitude, index], let longitude = self[.longitude, index] else { return nil }
        return Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
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
    package func track() throws(RegionStoreError) -> Track {
        var track = Track(points: try TrackCodec.decode(trackData, startTime: startTime))
        track.segmentStarts = track.points.isEmpty ? [] : [0]
        if let table = supplement.track.flatMap({ try? TrackColumns(decoding: $0) }),
            table.replace(&track.points, where: Self.isRounded)
        {
            track.segmentStarts = table.segmentStarts
        }
        if let table = supplement.sensors.flatMap({ try? TrackColumns(decoding: $0) }),
            table.pointCount == track.points.count
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
        var points = coordinates.map { TrackPoint(coordinate: $0) }
        guard let table = supplement.track.flatMap({ try? TrackColumns(decoding: $0) }),
            table.replace(&points, where: ==)
        else {
            // Elevations may be all that is known of a route that another program has changed.
            return elevationProfile == nil ? Track(points: points, segmentStarts: [0]) : nil
        }
        return Track(points: points, segmentStarts: table.segmentStarts)
    }
}
