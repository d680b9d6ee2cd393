import FoundationEssentials
import MapPages
import PeerCore
import RegionSharing
import RegionStore
import SharingReports
import WebServer

extension WindowActions {
    /// Taking regions from others.
    var receiving: [String: AppWindowAction] {
        struct Wish: Decodable {
            /// Whether the person has a share link.
            var link: Bool?
            /// A share link that a phone has sent.
            var url: String?
            var join: Bool?
            var part: PartWish?
        }
        struct Keeping: Decodable {
            var on: Bool
            var new: Bool?
        }
        return [
            "keep": AppWindowAction(Keeping.self) { wish in keep(wish.on, takesNew: wish.new ?? false) },
            "receive": AppWindowAction(Wish.self) { wish in
                do {
                    let part = try wish.part.map { try request(for: $0) }
                    let link = try wish.url.map { try ShareLink(typed: $0, for: .hikeshare) }
                    var job = ReceivingJob(
                        at: desk,
                        hasLink: wish.link ?? false,
                        joins: wish.join ?? false,
                        part: part
                    )
                    job.link = link
                    return desk.begin(job)
                } catch {
                    return WebResponse(.badRequest, ProblemReport(error).windowText.string.replacing("\n", with: " "))
                }
            },
        ]
    }

    private func keep(_ isOn: Bool, takesNew: Bool) -> WebResponse {
        guard isOn else {
            desk.window.stopKeeping()
            return AppWindowAction.done
        }
        guard let peers = try? store.trustedPeers.all(), !peers.isEmpty else {
            return WebResponse(
                .conflict,
                "You do not trust any other machine yet. Receive a map once from a person, and compare the digits."
            )
        }
        return desk.window.keep(KeepingJob(at: desk, takesNew: takesNew), takesNew: takesNew)
            ? AppWindowAction.done : WebResponse(.conflict, "The last time is not over yet. Try again in a moment.")
    }

    /// The part of a map that a person asks another machine for.
    private struct PartWish: Decodable {
        /// The id of a region of this machine: of the one with the route, or of the one whose area is meant.
        var region: String
        /// The id of a hike or planned route; nil for the area.
        var route: String?
        /// The distance from the route to each side, in metres; nil for the usual one.
        var within: Double?
        /// What was drawn on the map of the region; nil for the route or the area.
        var drawn: Drawn?

        struct Drawn: Decodable {
            /// West, south, east and north.
            var area: [Double]?
            /// The keys of hikes and planned routes.
            var along: [String]?
            var within: Double?
            var maximumZoom: Int?
        }
    }

    private func request(for wish: PartWish) throws -> CutRequest {
        let gone = RegionStoreError(
            .notFound,
            "This region or route was removed. Reload the page to see what you have."
        )
        guard let id = UUID(uuidString: wish.region), let region = try? store.region(id) else { throw gone }
        if let drawn = wish.drawn {
            let choice = PartChoice(
                edges: drawn.area,
                lines: drawn.along ?? [],
                distance: drawn.within,
                maximumZoom: drawn.maximumZoom
            )
            guard let choice else { throw RegionStoreError(.invalidArgument, "This is no part of a map.") }
            return try CutRequest(choice.rule(for: region, in: store))
        }
        guard let route = wish.route else {
            guard region.hasArea else {
                throw RegionStoreError(.invalidArgument, "The area of “\(region.name)” is not known.")
            }
            return try CutRequest(CutRule(area: region.boundingBox))
        }
        guard let item = try store.routes(of: region).first(where: { $0.id == UUID(uuidString: route) }) else {
            throw gone
        }
        let line = try store.points(of: item, in: region)
        return try CutRequest(CutRule(along: [line], called: [item.name], within: wish.within ?? CutRule.usualDistance))
    }

    /// The hikes and planned routes of all regions, along which a part of another map can be asked for.
    var routesReading: AppWindowSite.Reading {
        struct Route: Encodable {
            var id: String
            var name: String
            var region: String
            var regionName: String
            var distance: Double?
        }
        return { rest in
            guard rest.isEmpty else { return .notFound }
            let sentence = "The routes cannot be read."
            var found: [Route] = []
            for region in (try? store.regions()) ?? [] where found.count < Self.maximumRouteCount {
                guard let routes = try? store.routes(of: region) else { continue }
                found += routes.map {
                    Route(
                        id: $0.id.uuidString,
                        name: MapLimits.shownName($0.name),
                        region: region.id.uuidString,
                        regionName: MapLimits.shownName(region.name),
                        distance: $0.distance
                    )
                }
            }
            return .json(Array(found.prefix(Self.maximumRouteCount)), orSaying: sentence)
        }
    }

    /// More routes than anybody looks through.
    private static let maximumRouteCount = 1000
}
