import Foundation
import Testing

@testable import MapPages
@testable import RegionStore
@testable import SharingWindow
@testable import WebServer

/// Hikes, planned routes and waypoints that a person changes on the map.
@Suite struct WindowItemsTests {
    /// The content of a request about an item, as the page shows it.
    private static func content(
        _ here: WindowSite,
        _ item: ItemDescription,
        as name: String? = nil,
        to newName: String? = nil
    ) throws -> String {
        let seen = ["kind": item.kind.rawValue, "key": ItemKey.text(of: item.id), "name": name ?? item.name]
        var all: [String: Any] = ["region": here.region.uuidString, "item": seen]
        all["name"] = newName
        return String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
    }

    @Test(arguments: ItemKind.allCases) func anItemGetsAnotherNameAndGoes(kind: ItemKind) async throws {
        try await WindowSite.with(hasItems: true) { (here: WindowSite) async throws in
            let item = try #require(try here.store.items(kind, of: here.region).first)
            let renamed = try here.post("rename-item", Self.content(here, item, to: "<i>Other</i>"))
            #expect(renamed.status == .ok, "\(renamed.words)")
            #expect(renamed.words.contains(kind.noun) && renamed.words.contains("is now called"))
            func now() throws -> ItemDescription? {
                try here.store.items(kind, of: here.region).first { $0.id == item.id }
            }
            #expect(try now()?.name == "<i>Other</i>")
            // The page has seen the former name.
            for action in ["rename-item", "remove-item"] {
                let refused = try here.post(action, Self.content(here, item, to: "x"))
                #expect(refused.status == .conflict)
                #expect(refused.words.contains("changed or was removed in the meantime"))
            }
            #expect(
                try here.post("rename-item", Self.content(here, item, as: "<i>Other</i>", to: " ")).status
                    == .badRequest
            )
            let removed = try here.post("remove-item", Self.content(here, item, as: "<i>Other</i>"))
            #expect(removed.status == .ok, "\(removed.words)")
            #expect(try now() == nil)
            #expect(try here.post("remove-item", Self.content(here, item, as: "<i>Other</i>")).status == .conflict)
        }
    }

    private static func place(_ here: WindowSite, _ latitude: Double, _ longitude: Double, _ label: String) -> String {
        #"{"region":"\#(here.region.uuidString)","latitude":\#(latitude),"longitude":\#(longitude),"#
            + #""label":"\#(label)","note":"Dry in August","category":"waterSource"}"#
    }

    @Test func aWaypointIsAdded() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let before = try #require(try here.state()["revision"] as? Int)
            let answer = try here.post("waypoint", Self.place(here, 42.58, 1.45, "Spring <b>"))
            #expect(answer.status == .ok, "\(answer.words)")
            let waypoint = try #require(try here.store.waypoints(of: here.region).first)
            #expect(waypoint.label == "Spring <b>" && waypoint.note == "Dry in August")
            #expect(waypoint.category == .waterSource && waypoint.coordinate.latitude == 42.58)
            // The page opens it.
            #expect(answer.words.contains(ItemKey.text(of: waypoint.id)))
            let after = try #require(try here.state()["revision"] as? Int)
            #expect(after > before)
        }
    }

    @Test func aPlaceOutsideTheMapIsRefused() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let answer = try here.post("waypoint", Self.place(here, 47, 11, "Spring"))
            #expect(answer.status == .badRequest)
            #expect(answer.words.contains("This place is outside the map of “Coma Pedrosa”"), "\(answer.words)")
            for (latitude, longitude) in [(91.0, 1.0), (42.58, 181)] {
                #expect(try here.post("waypoint", Self.place(here, latitude, longitude, "x")).status == .badRequest)
            }
            #expect(try here.post("waypoint", Self.place(here, 42.58, 1.45, " ")).status == .badRequest)
            #expect(try here.store.waypoints(of: here.region).isEmpty)
        }
    }
}
