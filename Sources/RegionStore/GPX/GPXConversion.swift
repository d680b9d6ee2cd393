import FoundationEssentials
import PeerStorage

/// Converts the content of a GPX file into the model.
struct GPXConversion {
    private let now: Date
    private let stem: String
    private var ids = ContentID()
    private var taken: Set<UUID> = []
    private var texts = GPXTexts()
    private var fileTime: Date

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - now: The time of items that need one and whose file has none.
    ///   - stem: The name of the file, for items without a name.
    init(now: Date, stem: String) {
        self.now = now
        self.stem = stem
        fileTime = now
    }

    mutating func document(_ content: GPXContent) throws(RegionStoreError) -> GPXDocument {
        texts.leftOut = content.leftOut
        guard !(content.places.isEmpty && content.routes.isEmpty && content.tracks.isEmpty) else {
            let leftOut = texts.leftOut.words.prefix(3).joined(separator: ", ")
            throw RegionStoreError(
                .invalidFile,
                "The file has no waypoints, routes or tracks" + (leftOut.isEmpty ? "." : ", only: \(leftOut).")
            )
        }
        let isAlone = content.routes.count + content.tracks.count == 1
        let fileName = [content.name, stem].map { GPXTexts.line($0) }.first { !$0.isEmpty }
        if let time = content.time, isUsable(time) { fileTime = time }
        var document = GPXDocument(name: fileName)
        for place in content.places { document.waypoints.append(waypoint(place)) }
        let lines =
            content.routes.enumerated().map { ($0, $1, "Route") }
            + content.tracks.enumerated().map { ($0, $1, "Track") }
        for (index, line, noun) in lines {
            let own = texts.name(line.words.name)
            let name = !own.isEmpty ? own : isAlone ? fileName ?? "\(noun) 1" : "\(noun) \(index + 1)"
            let isHike = noun == "Track" && Self.isHike(line)
            let limit = isHike ? ModelLimits.maximumPointCount : ModelLimits.maximumRoutePointCount
            for part in Self.parts(of: line, name, atMost: limit) {
                if isHike {
                    guard let hike = try savedRoute(part.line, part.name) else { continue }
                    document.savedRoutes.append(hike)
                } else {
                    guard var route = plannedRoute(part.line, part.name) else { continue }
                    if noun == "Track" { route.supplement.words?.element = "trk" }
                    document.plannedRoutes.append(route)
                }
            }
        }
        document.leftOut = texts.leftOut.words
        return document
    }

    /// Returns whether a track is a recorded hike: it has at least one time.
    ///
    /// A track of an exported file is what it was in the store. All other tracks are planned routes.
    private static func isHike(_ line: GPXContent.Line) -> Bool {
        line.identity.map { $0.kind == .hike } ?? line.track.points.contains { $0.time != nil }
    }

    /// Divides a line with more points than can be sent.
    ///
    /// Each part begins where the previous one ends.
    private static func parts(
        of line: GPXContent.Line,
        _ name: String,
        atMost limit: Int
    ) -> [(line: GPXContent.Line, name: String)] {
        let count = line.track.points.count
        guard count > limit else { return [(line, name)] }
        return stride(from: 0, to: count - 1, by: limit - 1).enumerated().map { number, start in
            let part = " (\(number + 1))"
            let stem = GPXTexts.cut(name, to: ModelLimits.maximumNameLength - part.utf8.count)
            return (line.part(start..<min(start + limit, count)), stem + part)
        }
    }

    // MARK: Items

    private mutating func waypoint(_ place: GPXContent.Place) -> Waypoint {
        let identity = place.identity
        let (note, words) = texts.words(place.words, hasNote: true)
        var waypoint = Waypoint(
            id: id(.waypoint, identity, place.words, [place.point]),
            coordinate: place.point.coordinate,
            elevation: place.point.elevation,
            time: usableTime("created", of: identity) ?? now,
            label: texts.name(place.words.name),
            note: note,
            category: identity?.text("category").flatMap(WaypointCategory.init(rawValue:))
                ?? WaypointCategory(type: place.words.type, symbol: place.words.symbol, icon: place.words.icon),
            modifiedAt: usableTime("modified", of: identity),
            supplement: ItemSupplement(words: words)
        )
        guard let time = place.point.time else {
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

    private mutating func plannedRoute(_ line: GPXContent.Line, _ name: String) -> PlannedRoute? {
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
                    ? texts.encoded(TrackColumns(of: line.track, hasPositions: false), else: \.longProfiles) : nil,
                pointTexts: texts.pointTexts(line.pointWords)
            )
        )
    }

    private mutating func savedRoute(_ line: GPXContent.Line, _ name: String) throws(RegionStoreError) -> SavedRoute? {
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
        texts.leftOut.pointTexts += line.pointWords.count
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
                track: texts.encoded(TrackColumns(of: track, hasPositions: true), else: \.longTracks),
                sensors: TrackColumns(sensorsOf: track).flatMap { texts.encoded($0, else: \.longSensors) }
            )
        )
    }

    // MARK: Values

    /// Returns the id that the file has for an item, or else one that is derived from its content.
    private mutating func id(
        _ kind: ItemFingerprint.Kind,
        _ identity: GPXIdentity?,
        _ words: GPXContent.Words,
        _ points: [TrackPoint]
    ) -> UUID {
        if let identity, taken.insert(identity.id).inserted { return identity.id }
        return ids.id(kind: kind, name: GPXTexts.line(words.name), points: points)
    }

    /// Returns whether a time can be that of an item: it is not in the future.
    private func isUsable(_ time: Date) -> Bool {
        time <= max(now, MergeClock.now).addingTimeInterval(MergeClock.slack)
    }

    private func usableTime(_ key: String, of identity: GPXIdentity?) -> Date? {
        identity?.time(key).flatMap { isUsable($0) ? $0 : nil }
    }

    private static func rounded(_ coordinate: Coordinate) -> Coordinate {
        func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        return Coordinate(latitude: rounded(coordinate.latitude), longitude: rounded(coordinate.longitude))
            ?? coordinate
    }

    private static func profile(_ points: [TrackPoint]) -> [ElevationSample]? {
        var profile: [ElevationSample] = []
        var distance = 0.0
        var previous = points.first?.coordinate
        for point in points {
            if let previous { distance += Geodesy.distance(previous, point.coordinate) }
            previous = point.coordinate
            if let elevation = point.elevation {
                profile.append(ElevationSample(distance: distance, elevation: elevation))
            }
        }
        return profile.count < 2 ? nil : profile
    }

    private static func mode(_ type: String) -> RouteMode {
        let type = type.prefix(100).lowercased()
        return ["cycl", "bik", "mtb"].contains { type.contains($0) } ? .cycling : .hiking
    }
}
