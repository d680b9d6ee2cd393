package import MapFiles
import PeerProtocol
package import RegionModel
import TrackFiles

extension CutRequest {
    /// Creates the request for what a person wants, with as few points as the context of an invitation can hold.
    package init(_ rule: CutRule, routes: [String] = []) throws {
        guard rule.lines.count <= Self.maximumLineCount, routes.count <= CutDescription.maximumNameCount else {
            throw RegionStoreError(
                .invalidArgument,
                "These are too many routes to ask for the tiles along them.",
                remedy: "Use at most \(CutDescription.maximumNameCount) routes, or an area."
            )
        }
        for share in [16.0, 8, 4, 2] {
            let rule = rule.thinned(by: share)
            let request = CutRequest(
                names: rule.names,
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
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if the offer has no such route.
    package func rule(for request: CutRequest) throws -> CutRule {
        var rule = CutRule(
            along: request.lines,
            called: request.names,
            within: request.distance ?? CutRule.usualDistance,
            area: request.area,
            maximumZoom: request.maximumZoom
        )
        guard !request.routes.isEmpty else { return rule }
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
            rule.names.append(found[name.lowercased()] == nil ? only?.name ?? name : name)
            rule.lines += lines
        }
        return rule
    }
}
