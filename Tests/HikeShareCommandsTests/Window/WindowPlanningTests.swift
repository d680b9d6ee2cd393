import Foundation
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages
@testable import SharingWindow
@testable import WebServer

/// Routes that are planned on the map of a region.
@Suite struct WindowPlanningTests {
    /// Arinsal, and two places at and near the Pic de Comapedrosa.
    private static let places = ["42.5721_1.4841", "42.5903_1.4443", "42.5791_1.4441"]

    private static func ways(_ answer: WebResponse) throws -> [[String: Any]] {
        #expect(answer.status == .ok, "\(answer.words)")
        let data = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        return try #require(data["ways"] as? [[String: Any]])
    }

    private static func wish(
        _ here: WindowSite,
        _ name: String,
        _ way: Int,
        _ distance: Double,
        _ count: Int = 2
    ) -> String {
        let places = Self.places.prefix(count).map { "[\($0.replacing("_", with: ","))]" }.joined(separator: ",")
        return #"{"region":"\#(here.region.uuidString)","name":"\#(name)","places":[\#(places)],"way":\#(way),"#
            + #""distance":\#(distance)}"#
    }

    @Test func aWayIsPlannedAndSaved() async throws {
        try await WindowSite.with(hasRouting: true) { (here: WindowSite) async throws in
            let path = "plan/\(here.region.uuidString)/3/\(Self.places[0])/\(Self.places[1])"
            let start = ContinuousClock.now
            let ways = try Self.ways(try await here.ask(path))
            #expect(ContinuousClock.now - start < .patience)
            let way = try #require(ways.first)
            let distance = try #require(way["distance"] as? Double)
            #expect(distance > 4000 && way["isStraight"] as? Bool == false)
            #expect((way["ascent"] as? Double ?? 0) > 1000 && (way["profile"] as? [Any])?.count ?? 0 > 10)
            #expect((way["parts"] as? [[String: Any]])?.first?["kind"] as? String == "path")
            #expect((way["hardest"] as? [String: Any])?["sacScale"] as? String == "mountain_hiking")

            let answer = try await here.post(asking: "save-route", Self.wish(here, "Ridge", 0, distance))
            #expect(answer.status == .ok, "\(answer.words)")
            let route = try #require(try here.store.items(.plannedRoute, of: here.region).first)
            let saved = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: String])
            #expect(route.name == "Ridge" && saved["key"] == ItemKey.text(of: route.id))
            // Other pages show it, too.
            #expect(try here.state()["revision"] as? Int ?? 0 > 0)
            let again = try await here.post(asking: "save-route", Self.wish(here, "Ridge", 0, distance))
            #expect(again.status == .conflict && again.words.contains("called “Ridge” already"), "\(again.words)")
        }
    }

    @Test func withoutARoutingDatabaseTheLinesAreStraight() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let ways = try Self.ways(
                try await here.ask("plan/\(here.region.uuidString)/1/" + Self.places.joined(separator: "/"))
            )
            let way = try #require(ways.first)
            #expect(ways.count == 1 && way["isStraight"] as? Bool == true && way["profile"] == nil)
            let distance = try #require(way["distance"] as? Double)
            let answer = try await here.post(asking: "save-route", Self.wish(here, "Straight", 0, distance, 3))
            #expect(answer.status == .ok, "\(answer.words)")
            #expect(try here.store.items(.plannedRoute, of: here.region).map(\.name) == ["Straight"])
        }
    }

    @Test func placesFarFromAllWaysAreToldApart() async throws {
        try await WindowSite.with(hasRouting: true) { (here: WindowSite) async throws in
            let answer = try await here.ask("plan/\(here.region.uuidString)/1/\(Self.places[0])/42.70000_1.60000")
            let data = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
            let problem = try #require(data["problem"] as? [String: Any])
            #expect(answer.status == .ok && problem["kind"] as? String == "tooFar" && problem["place"] as? Int == 1)
            #expect(problem["distance"] as? Double ?? 0 > 5000, "\(problem)")
        }
    }

    @Test func whatIsNotValidIsRefused() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let region = here.region.uuidString
            let (one, two) = (Self.places[0], Self.places[1])
            for path in [
                "plan", "plan/\(region)", "plan/\(region)/1", "plan/\(region)/1/\(one)",
                "plan/\(region)/0/\(one)/\(two)",
                "plan/\(region)/4/\(one)/\(two)", "plan/\(region)/x/\(one)/\(two)", "plan/\(region)/1/\(one)/nan_1.4",
                "plan/\(region)/1/\(one)/91_1.4", "plan/\(region)/1/\(one)/42.5", "plan/\(region)/1/\(one)/42_1_2",
                "plan/x/1/\(one)/\(two)", "plan/\(region)/1" + String(repeating: "/42.5_1.4", count: 26),
            ] {
                #expect(try await here.ask(path).status == .badRequest, "\(path)")
            }
            #expect(try await here.ask("plan/\(UUID().uuidString)/1/\(one)/\(two)").status == .notFound)
            // Planning changes nothing, so it is not sent.
            #expect(try await here.post(asking: "plan", "{}").status == .methodNotAllowed)
            let many = String(repeating: "[42.5,1.4],", count: 25) + "[42.6,1.4]"
            for places in ["", "[42.5,1.4]", "[42.5,1.4],[91,1.4]", "[42.5,1.4],[42.6]", many] {
                let wish = #"{"region":"\#(region)","name":"x","places":[\#(places)],"way":0,"distance":1}"#
                #expect(try await here.post(asking: "save-route", wish).status == .badRequest, "\(places)")
            }
            for (name, way, distance, status) in [
                ("", 0, 4000.0, WebResponse.Status.conflict), ("x", 1, 4000, .conflict), ("x", -1, 4000, .conflict),
            ] {
                let answer = try await here.post(asking: "save-route", Self.wish(here, name, way, distance))
                #expect(answer.status == status, "\(name) \(way): \(answer.words)")
            }
            #expect(try here.store.items(.plannedRoute, of: here.region).isEmpty)
        }
    }
}
