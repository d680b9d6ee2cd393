import FoundationEssentials
import PeerStorage
import RegionModel

/// Converts the parts of a GPX file into the model, one after the other.
struct GPXConversion {
    /// An item that may get another name when the whole file is known.
    private struct Unnamed {
        var isHike: Bool
        var index: Int
        /// The number of the part of a divided line.
        var number: Int?
    }

    private let now: Date
    private let stem: String
    private var ids = ContentID()
    private var taken: Set<UUID> = []
    private var fileTime: Date
    private var result = GPXDocument()
    private var unnamed: [Unnamed] = []
    private var routeCount = 0
    private var trackCount = 0

    /// What is left out, and the conversion of texts.
    var texts = GPXTexts()

    /// The number of points at 0° N, 0° E.
    var pointsAtZero = 0

    /// What is wrong with the file; nil if it is whole.
    var damage: TrackFileDamage?

    /// Whether lines that are added now are only the beginning of those that the file once had.
    var isCut = false

    /// Whether there are no items yet.
    var isEmpty: Bool { waypointCount + lineCount == 0 }

    /// The estimated memory of the items, in bytes.
    private(set) var heldLength = 0

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

    /// The number of waypoints.
    var waypointCount: Int { result.waypoints.count }

    /// The number of planned routes and hikes.
    var lineCount: Int { result.plannedRoutes.count + result.savedRoutes.count }

    /// Sets the time of the file, which items get that follow and need one.
    mutating func setFileTime(_ time: Date?) {
        if let time, isUsable(time) { fileTime = time }
    }

    /// Adds a waypoint.
    mutating func add(_ place: GPXContent.Place) {
        let waypoint = waypoint(place)
        heldLength += waypoint.heldLength
        result.waypoints.append(waypoint)
    }

    /// Adds a route or track, in parts if it is long.
    mutating func add(_ line: GPXContent.Line) throws(RegionStoreError) {
        let isTrack = line.element == .track
        if isTrack { trackCount += 1 } else { routeCount += 1 }
        let own = texts.name(line.words.name)
        let name = !own.isEmpty ? own : isTrack ? "Track \(trackCount)" : "Route \(routeCount)"
        let isHike = line.isHike
        let limit = isHike ? ModelLimits.maximumPointCount : ModelLimits.maximumRoutePointCount
        for part in Self.parts(of: line, atMost: limit) {
            let index = isHike ? result.savedRoutes.count : result.plannedRoutes.count
            let partName = Self.name(name, part.number)
            if isHike {
                guard let hike = try savedRoute(part.line, partName) else { continue }
                heldLength += hike.heldLength
                if isCut { result.cut.insert(hike.id) }
                result.savedRoutes.append(hike)
            } else {
                guard var route = plannedRoute(part.line, partName) else { continue }
                if isTrack { route.supplement.words?.element = "trk" }
                heldLength += route.heldLength
                if isCut { result.cut.insert(route.id) }
                result.plannedRoutes.append(route)
            }
            if own.isEmpty { unnamed.append(Unnamed(isHike: isHike, index: index, number: part.number)) }
        }
    }

    /// Ends the conversion.
    ///
    /// - Parameter name: The name in the file; possibly empty.
    /// - Returns: The document.
    /// - Throws: `RegionStoreError` if an item cannot be stored.
    mutating func document(named name: String) throws(RegionStoreError) -> GPXDocument {
        result.pointsAtZero = pointsAtZero
        result.damage = damage
        result.leftOut = texts.leftOut.words
        guard !isEmpty else {
            let leftOut = result.leftOut.prefix(3).joined(separator: ", ")
            throw RegionStoreError(
                .invalidFile,
                "The file has no waypoints, routes or tracks" + (leftOut.isEmpty ? "." : ", only: \(leftOut)."),
                remedy: "Select what to export in the program that made it, and export it again."
            )
        }
        result.name = [name, stem].map { GPXTexts.line($0) }.first { !$0.isEmpty }
        for item in unnamed {
            result.unnamed.insert(item.isHike ? result.savedRoutes[item.index].id : result.plannedRoutes[item.index].id)
        }
        // An item without a name is named after the file if the file has no other line.
        guard routeCount + trackCount == 1, let name = result.name else { return result }
        for item in unnamed {
            let name = Self.name(name, item.number)
            if item.isHike {
                result.savedRoutes[item.index].name = name
            } else {
                result.plannedRoutes[item.index].name = name
            }
        }
        return result
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
}
