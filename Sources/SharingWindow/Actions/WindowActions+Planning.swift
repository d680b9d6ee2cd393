import FoundationEssentials
import MapPages
import RegionSharing
import RegionStore
import Routing
import SharingReports
import WebServer

extension WindowActions {
    /// The maximum number of places of a route that is planned.
    private static let maximumPlaceCount = 25
    /// The maximum number of ways that are shown.
    private static let maximumWayCount = 3

    /// Routes that are planned on the map.
    var planning: [String: AppWindowAction] {
        struct Route: Decodable {
            var region: String
            var name: String
            /// Of each place, the latitude and the longitude.
            var places: [[Double]]
            /// The number of the way that was chosen.
            var way: Int
            /// Its length, by which it is known again.
            var distance: Double
        }
        return [
            "save-route": .waiting(for: Route.self) { sent in
                let places = sent.places.compactMap { numbers in
                    numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
                }
                guard let id = UUID(uuidString: sent.region), places.count == sent.places.count,
                    Self.isPossible(places)
                else { return AppWindowAction.invalid }
                return await save(places, sent.way, sent.distance, called: sent.name, in: id)
            }
        ]
    }

    private static func isPossible(_ places: [Coordinate]) -> Bool {
        (2...maximumPlaceCount).contains(places.count)
    }

    /// Plans ways; the path has the region, how many ways are wanted, and the places, such as `42.57012_1.48123`.
    @Sendable func plan(_ request: WebRequest, _ rest: [String]) async -> WebResponse {
        let places = rest.dropFirst(2).compactMap { text in
            let numbers = text.split(separator: "_", omittingEmptySubsequences: false).compactMap { Double($0) }
            return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
        }
        guard rest.count > 2, let id = UUID(uuidString: rest[0]), let count = Int(rest[1]),
            (1...Self.maximumWayCount).contains(count), places.count == rest.count - 2, Self.isPossible(places)
        else { return AppWindowAction.invalid }
        do {
            let found = try await planner.ways(through: places, in: id, atMost: count)
            let data = PlanData(found.ways, hasGraph: found.hasGraph, leavesMap: found.leavesMap)
            return .json(data, orSaying: Self.unreadableRoute)
        } catch RouteError.noWay(let error, _, _) {
            return PlanData(error).map { .json($0, orSaying: Self.unreadableRoute) } ?? Self.refused(error)
        } catch {
            return Self.refused(error)
        }
    }

    /// Plans ways once more, and saves the one that was chosen.
    private func save(
        _ places: [Coordinate],
        _ number: Int,
        _ distance: Double,
        called name: String,
        in id: UUID
    ) async -> WebResponse {
        do {
            let found = try await planner.ways(through: places, in: id, atMost: Self.maximumWayCount).ways
            guard found.indices.contains(number), abs(found[number].distance - distance) < 1 else {
                return WebResponse(.conflict, "The way has changed in the meantime. Plan it again.")
            }
            let writer = RoutePlanner(store: try desk.open(.writing))
            let route = try await writer.save(found[number], called: name, in: id)
            desk.window.noteEdit()
            return .json(["key": ItemKey.text(of: route.id)], orSaying: Self.unreadableRoute)
        } catch {
            return Self.refused(error)
        }
    }

    private static func refused(_ error: any Error) -> WebResponse {
        let status = error is RouteError ? WebResponse.Status.conflict : Self.status(of: error)
        return WebResponse(status, ProblemReport(error).windowText.string)
    }

    private static let unreadableRoute = "The route cannot be shown."
}
