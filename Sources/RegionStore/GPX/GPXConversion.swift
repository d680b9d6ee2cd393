import FoundationEssentials

/// Converts the content of a GPX file into the model.
struct GPXConversion {
    var now: Date
    var stem: String

    func document(_ content: GPXContent) throws(RegionStoreError) -> GPXDocument {
        guard !(content.places.isEmpty && content.routes.isEmpty && content.tracks.isEmpty) else {
            throw RegionStoreError(.invalidFile, "The file has no waypoints, routes or tracks.")
        }
        let isAlone = content.routes.count + content.tracks.count == 1
        let fileName = [content.name, stem].map(Self.line).first { !$0.isEmpty }
        let fileTime = content.time.flatMap { isSane($0) ? $0 : nil } ?? now
        func name(_ words: GPXContent.Words, _ noun: String, _ index: Int) -> String {
            let own = Self.line(words.name)
            if !own.isEmpty { return own }
            return isAlone ? fileName ?? "\(noun) 1" : "\(noun) \(index + 1)"
        }
        var ids = ContentID()
        var document = GPXDocument(name: fileName)
        for place in content.places {
            document.waypoints.append(waypoint(place, &ids))
        }
        for (index, route) in content.routes.enumerated() {
            let name = name(route.words, "Route", index)
            for part in Self.parts(of: route, name, atMost: ModelLimits.maximumRoutePointCount) {
                guard let converted = plannedRoute(part.line, part.name, fileTime, &ids) else { continue }
                document.plannedRoutes.append(converted)
            }
        }
        for (index, track) in content.tracks.enumerated() {
            let name = name(track.words, "Track", index)
            for part in Self.parts(of: track, name, atMost: ModelLimits.maximumPointCount) {
                guard let hike = try savedRoute(part.line, part.name, fileTime, &ids) else { continue }
                document.savedRoutes.append(hike)
            }
        }
        return document
    }

    /// Divides a line with more points than can be sent.
    ///
    /// Each part begins where the previous one ends.
    private static func parts(
        of line: GPXContent.Line,
        _ name: String,
        atMost limit: Int
    ) -> [(line: GPXContent.Line, name: String)] {
        guard line.points.count > limit else { return [(line, name)] }
        return stride(from: 0, to: line.points.count - 1, by: limit - 1).enumerated().map { number, start in
            let points = Array(line.points[start..<min(start + limit, line.points.count)])
            let part = " (\(number + 1))"
            let stem = cut(name, to: ModelLimits.maximumNameLength - part.utf8.count)
            return (GPXContent.Line(words: line.words, points: points), stem + part)
        }
    }

    private func waypoint(_ place: GPXContent.Place, _ ids: inout ContentID) -> Waypoint {
        let words = place.words
        return Waypoint(
            id: ids.id(kind: "wpt", words: words, points: [place.point]),
            coordinate: place.point.coordinate,
            elevation: place.point.elevation,
            time: place.point.time.flatMap { isSane($0) ? $0 : nil } ?? now,
            label: Self.line(words.name),
            note: Self.note(words),
            category: WaypointCategory(type: words.type, symbol: words.symbol)
        )
    }

    private func plannedRoute(
        _ line: GPXContent.Line,
        _ name: String,
        _ time: Date,
        _ ids: inout ContentID
    ) -> PlannedRoute? {
        guard let first = line.points.first, let last = line.points.last else { return nil }
        let ownTime = line.points.lazy.compactMap(\.time).first { isSane($0) }
        let statistics = TrackStatistics(
            line.points.map { TrackPoint(coordinate: $0.coordinate, elevation: $0.elevation) }
        )
        var profile: [ElevationSample] = []
        var distance = 0.0
        var previous = first.coordinate
        for point in line.points {
            distance += Geodesy.distance(previous, point.coordinate)
            previous = point.coordinate
            if let elevation = point.elevation {
                profile.append(ElevationSample(distance: distance, elevation: elevation))
            }
        }
        return PlannedRoute(
            id: ids.id(kind: "rte", words: line.words, points: line.points),
            name: name,
            mode: Self.mode(line.words.type),
            start: first.coordinate,
            end: last.coordinate,
            coordinates: line.points.map(\.coordinate),
            totalDistance: statistics.distance,
            estimatedDuration: statistics.walkingTime,
            elevationGain: statistics.elevationGain,
            elevationLoss: statistics.elevationLoss,
            createdAt: ownTime ?? time,
            elevationProfile: profile.count < 2 ? nil : profile
        )
    }

    private func savedRoute(
        _ line: GPXContent.Line,
        _ name: String,
        _ time: Date,
        _ ids: inout ContentID
    ) throws(RegionStoreError) -> SavedRoute? {
        guard let first = line.points.first, let last = line.points.last else { return nil }
        let points = withSaneTimes(line.points)
        let statistics = TrackStatistics(points)
        let startTime = statistics.startTime ?? time
        let estimatedEnd = startTime.addingTimeInterval(statistics.walkingTime + statistics.restingTime)
        // A single time is only the start of the hike.
        let endTime = statistics.endTime.flatMap { $0 > startTime ? $0 : nil } ?? estimatedEnd
        return SavedRoute(
            id: ids.id(kind: "trk", words: line.words, points: line.points),
            name: name,
            start: first.coordinate,
            end: last.coordinate,
            startTime: startTime,
            endTime: Timestamp.nearest(endTime),
            totalDistance: statistics.distance,
            elevationGain: statistics.elevationGain,
            elevationLoss: statistics.elevationLoss,
            walkingTime: statistics.walkingTime,
            restingTime: statistics.restingTime,
            comment: Self.note(line.words),
            trackData: try TrackCodec.encode(points, startTime: startTime)
        )
    }

    /// Returns whether a time is plausible: not before 1970 and not in the future.
    private func isSane(_ time: Date) -> Bool {
        time.timeIntervalSince1970 >= 0 && time <= max(now, MergeClock.now).addingTimeInterval(MergeClock.slack)
    }

    /// Removes times before 1970 or in the future and times that run backwards; removes all times if few are left or all are
    /// equal.
    func withSaneTimes(_ points: [TrackPoint]) -> [TrackPoint] {
        var points = points
        var latest = Date(timeIntervalSince1970: 0)
        var earliest: Date?
        var dropped = 0
        for index in points.indices {
            guard let time = points[index].time else { continue }
            if time < latest || !isSane(time) {
                points[index].time = nil
                dropped += 1
            } else {
                earliest = earliest ?? time
                latest = time
            }
        }
        let kept = points.lazy.filter { $0.time != nil }.count
        if kept < dropped || (kept > 1 && earliest == latest) {
            for index in points.indices { points[index].time = nil }
        }
        return points
    }

    private static func mode(_ type: String) -> RouteMode {
        let type = type.prefix(100).lowercased()
        return ["cycl", "bik", "mtb"].contains { type.contains($0) } ? .cycling : .hiking
    }

    private static func note(_ words: GPXContent.Words) -> String {
        let texts = [words.description, words.comment].map { trimmed($0[...]) }.filter { !$0.isEmpty }
        let note = texts.count == 2 && texts[0] != texts[1] ? texts.joined(separator: "\n") : texts.first ?? ""
        return cut(note, to: ModelLimits.maximumTextLength)
    }

    /// Returns a name on one line, without spaces around it, and truncated to the maximum length.
    private static func line(_ text: String) -> String {
        let words = text.split { $0.isWhitespace || $0.isNewline }
        return cut(words.joined(separator: " "), to: ModelLimits.maximumNameLength)
    }

    private static func trimmed(_ text: Substring) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var result = ""
        var length = 0
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            if length > limit { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
