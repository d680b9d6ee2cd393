import FoundationEssentials
import PeerStorage
import RegionModel

/// The items of the model, from what a file says of them.
extension TrackAssembly {
    mutating func waypoint(_ content: TrackContent.Waypoint) -> Waypoint {
        let identity = content.identity
        let (note, words) = texts.words(content.words, hasNote: true)
        var waypoint = Waypoint(
            id: id(.waypoint, identity, content.words, [content.point]),
            coordinate: content.point.coordinate,
            elevation: content.point.elevation,
            time: usableTime("created", of: identity) ?? now,
            label: texts.name(content.words.name),
            note: note,
            category: identity?.text("category").flatMap(WaypointCategory.init(rawValue:))
                ?? WaypointCategory(type: content.words.type, symbol: content.words.symbol, icon: content.words.icon),
            modifiedAt: usableTime("modified", of: identity),
            supplement: ItemSupplement(words: words)
        )
        guard let time = content.point.time else {
            waypoint.supplement.words?.time = ""
            return waypoint
        }
        if isUsable(time) { waypoint.time = time }
        // The item has whole seconds, and no time of the future.
        if waypoint.time != time || time.timeIntervalSince1970 != time.timeIntervalSince1970.rounded(.down) {
            waypoint.supplement.words?.time = Timestamp.text(time, milliseconds: true)
        }
        return waypoint
    }

    mutating func plannedRoute(_ line: TrackContent.Line, _ name: String) -> PlannedRoute? {
        let points = line.track.points
        guard let first = points.first, let last = points.last else { return nil }
        let identity = line.identity
        let statistics = TrackStatistics(line.track)
        let hasDetail = line.track.segments.count > 1 || points.contains { $0.elevation != nil || $0.time != nil }
        let (_, words) = texts.words(line.words, hasNote: false)
        for (sensor, values) in line.track.sensors { texts.leftOut.count(sensor, of: values) }
        return PlannedRoute(
            id: id(.plannedRoute, identity, line.words, points),
            name: name,
            mode: identity?.text("mode").flatMap(RouteMode.init(rawValue:)) ?? Self.mode(line.words.type),
            start: first.coordinate,
            end: last.coordinate,
            coordinates: points.map(\.coordinate),
            totalDistance: statistics.distance,
            estimatedDuration: TrackStatistics.estimatedDuration(
                distance: statistics.distance,
                elevationGain: statistics.elevationGain
            ),
            elevationGain: statistics.elevationGain,
            elevationLoss: statistics.elevationLoss,
            createdAt: usableTime("created", of: identity) ?? points.lazy.compactMap(\.time).first { isUsable($0) }
                ?? fileTime,
            elevationProfile: Self.profile(points),
            modifiedAt: usableTime("modified", of: identity),
            supplement: ItemSupplement(
                words: words,
                track: hasDetail
                    ? texts.encoded(TrackColumns(of: line.track, hasPositions: false), else: .longProfile) : nil,
                pointTexts: texts.pointTexts(line.pointWords)
            )
        )
    }

    mutating func savedRoute(_ line: TrackContent.Line, _ name: String) throws(RegionStoreError) -> SavedRoute? {
        var track = line.track
        for index in track.points.indices {
            track.points[index].coordinate = Self.rounded(track.points[index].coordinate)
        }
        guard let first = track.points.first, let last = track.points.last else { return nil }
        let identity = line.identity
        // Times of the future stay with their points, but a hike does not begin in the future.
        var past = track
        for index in past.points.indices where past.points[index].time.map(isUsable) == false {
            past.points[index].time = nil
        }
        var statistics = TrackStatistics(past)
        if statistics.startTime == nil, let identity {
            statistics.startTime = usableTime("start", of: identity)
            statistics.endTime = usableTime("end", of: identity)
            statistics.walkingTime = identity.number("walking") ?? statistics.walkingTime
            statistics.restingTime = identity.number("resting") ?? statistics.restingTime
        }
        let startTime = statistics.startTime ?? fileTime
        let heartRates = track.sensors[.heartRate].map { Array($0.known) } ?? []
        let average = heartRates.isEmpty ? nil : Double(heartRates.reduce(0, +)) / Double(heartRates.count) / 1000
        let (note, words) = texts.words(line.words, hasNote: true)
        return SavedRoute(
            id: id(.hike, identity, line.words, track.points),
            name: name,
            start: first.coordinate,
            end: last.coordinate,
            startTime: startTime,
            endTime: max(startTime, statistics.endTime ?? startTime),
            totalDistance: statistics.distance,
            elevationGain: statistics.elevationGain,
            elevationLoss: statistics.elevationLoss,
            walkingTime: statistics.walkingTime,
            restingTime: statistics.restingTime,
            averageHeartRate: identity?.number("averageHeartRate") ?? average,
            maximumHeartRate: identity?.number("maximumHeartRate") ?? heartRates.max().map { Double($0) / 1000 },
            estimatedCalories: identity?.number("calories"),
            comment: note,
            trackData: try TrackCodec.encode(track.points, startTime: startTime),
            modifiedAt: usableTime("modified", of: identity),
            supplement: ItemSupplement(
                words: words,
                track: texts.encoded(TrackColumns(of: track, hasPositions: true), else: .longTrack),
                sensors: TrackColumns(sensorsOf: track).flatMap { texts.encoded($0, else: .longSensors) }
            )
        )
    }

    // MARK: Values

    /// Returns the id that the file has for an item, or else one that is derived from its content.
    private mutating func id(
        _ kind: ItemFingerprint.Kind,
        _ identity: GPXIdentity?,
        _ words: TrackContent.Words,
        _ points: [TrackPoint]
    ) -> UUID {
        if let identity, taken.insert(identity.id).inserted { return identity.id }
        return ids.id(kind: kind, name: TrackTexts.line(words.name), points: points)
    }

    /// Returns whether a time can be that of an item: it is not in the future.
    private func isUsable(_ time: Date) -> Bool {
        time <= max(now, MergeClock.now).addingTimeInterval(MergeClock.slack)
    }

    private func usableTime(_ key: String, of identity: GPXIdentity?) -> Date? {
        identity?.time(key).flatMap { isUsable($0) ? $0 : nil }
    }

    /// Sets the time of the file, which items get that follow and need one.
    mutating func setFileTime(_ time: Date?) { if let time, isUsable(time) { fileTime = time } }
}
