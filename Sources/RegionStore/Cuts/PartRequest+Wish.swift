package import MapFiles
import PeerProtocol
package import RegionModel
import TrackFiles

extension RegionStore {
    /// Makes the request for a part of a map that another machine offers.
    ///
    /// - Parameters:
    ///   - rule: The rule, without lines.
    ///   - texts: For each line, the name of a hike or planned route of any region of this store, the beginning of its id, a part of
    ///     the name of only one, or the path of a track file whose routes and tracks count. Any other text is the name of a hike or planned route in the offer.
    /// - Returns: The request.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.ambiguous` if regions have different lines of a name,
    ///   `RegionStoreError.Code.invalidArgument` if the lines are too long or too many,
    ///   `RegionStoreError.Code.invalidFile` if a file has no points.
    package func request(_ rule: CutRule, along texts: [String]) throws -> PartRequest {
        var wish = CutWish(rule: rule)
        var routes: [String] = []
        let regions = try texts.contains { !Self.isTrackFile($0) } ? regions() : []
        for text in texts {
            guard let (name, lines) = try Self.isTrackFile(text) ? Self.lines(ofFile: text) : line(text, in: regions)
            else {
                routes.append(text)
                continue
            }
            wish.names.append(name)
            wish.rule.lines += lines
        }
        return try PartRequest(wish, routes: routes)
    }

    /// Returns the hike or planned route with a name in any of some regions; nil if there is none.
    private func line(_ text: String, in regions: [RegionSummary]) throws -> (name: String, lines: [[Coordinate]])? {
        let all = try regions.flatMap { region in
            try (items(.hike, of: region.id) + items(.plannedRoute, of: region.id)).map { (region, $0) }
        }
        var found: (name: String, lines: [[Coordinate]])?
        var names: [String] = []
        for (region, item) in ItemQuery(text).matchesPartly(all, { $0.1 }) {
            let points = try self.points(of: item, in: region)
            if found == nil { found = (item.name, [points]) }
            // The same hike may be in several regions.
            if found?.lines == [points], !names.isEmpty { continue }
            names.append("“\(region.name)” (“\(item.name)”)")
        }
        guard names.count <= 1 else {
            throw RegionStoreError(
                .ambiguous,
                "There are \(names.count) different hikes and planned routes called “\(text)” or with that in the name, in "
                    + names.prefix(20).joined(separator: ", ") + ".",
                remedy: "Export the one that you mean as a GPX file, and give the file."
            )
        }
        return found
    }
}

extension PartRequest {
    /// Creates the request for what a person wants, with as few points as the context of an invitation can hold.
    ///
    /// - Parameters:
    ///   - wish: The wish.
    ///   - routes: The names of further lines, which are in the offer.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if the lines are too long or too many.
    init(_ wish: CutWish, routes: [String] = []) throws {
        guard wish.rule.lines.count <= Self.maximumLineCount, routes.count <= CutDescription.maximumNameCount else {
            throw RegionStoreError(
                .invalidArgument,
                "These are too many routes to ask for the tiles along them.",
                remedy: "Use at most \(CutDescription.maximumNameCount) routes, or an area."
            )
        }
        for share in [16.0, 8, 4, 2] {
            let rule = wish.rule.thinned(by: share)
            let request = PartRequest(
                names: wish.names,
                lines: rule.lines,
                routes: routes,
                distance: rule.lines.isEmpty && routes.isEmpty ? nil : rule.distance,
                area: rule.area,
                maximumZoom: rule.maximumZoom
            )
            guard request.context == nil else {
                self = request
                return
            }
        }
        throw RegionStoreError(
            .invalidArgument,
            "The route has too many turns to ask for the tiles along it.",
            remedy: "Use one part of the route, a greater distance, or an area."
        )
    }
}

extension RegionSource {
    /// Finds what a receiver asks for.
    ///
    /// Only offered hikes and planned routes are looked at, and no file is read: the texts are those of a stranger.
    ///
    /// - Parameter request: The request.
    /// - Returns: The wish.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if the offer has no such route.
    package func wish(_ request: PartRequest) throws -> CutWish {
        var wish = CutWish(
            rule: CutRule(
                along: request.lines,
                within: request.distance ?? CutRule.usualDistance,
                area: request.area,
                maximumZoom: request.maximumZoom
            ),
            names: request.names
        )
        guard !request.routes.isEmpty else { return wish }
        let wanted = Set(request.routes.map { $0.lowercased() })
        var found: [String: [[Coordinate]]] = [:]
        // The only one with a text in its name, by the texts; without points if there are several.
        var partly: [String: (name: String, points: [Coordinate])] = [:]
        func take(_ name: String, _ points: () throws -> [Coordinate]) throws {
            if wanted.contains(name.lowercased()) { found[name.lowercased(), default: []].append(try points()) }
            for text in wanted where ItemQuery(text).isPart(of: name) {
                partly[text] = (name, try partly[text] == nil ? points() : [])
            }
        }
        // The lists as they are sent: what came into the store later is not offered.
        if manifest.entry(of: .savedroutes) != nil {
            try forEach(SavedRoutesPart()) { (hike: SavedRoute) in
                try take(hike.name) { try TrackCodec.decode(hike.trackData, startTime: nil).map(\.coordinate) }
            }
        }
        if manifest.entry(of: .plannedroutes) != nil {
            try forEach(PlannedRoutesPart()) { (route: PlannedRoute) in try take(route.name) { route.coordinates } }
        }
        for name in request.routes {
            let only = partly[name.lowercased()]
            let named = found[name.lowercased()] ?? (only.map { [$0.points] } ?? [])
            let lines = named.filter { !$0.isEmpty }
            guard !lines.isEmpty else {
                throw RegionStoreError(
                    .notFound,
                    only == nil
                        ? "The offer of “\(region.name)” has no hike or planned route “\(name)”."
                        : "The offer of “\(region.name)” has several hikes or planned routes with “\(name)” in their names."
                )
            }
            wish.names.append(found[name.lowercased()] == nil ? only?.name ?? name : name)
            wish.rule.lines += lines
        }
        return wish
    }
}
