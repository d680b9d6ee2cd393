import Foundation
import Testing

@testable import MapPages
@testable import RegionStore
@testable import SharingWindow
@testable import WebServer

/// Names, facts and the removal of regions in the window.
@Suite struct WindowHouseTests {
    /// The content of a request about the region.
    private static func content(_ here: WindowSite, _ rest: [String: String] = [:]) throws -> String {
        let all = rest.merging(["region": here.region.uuidString]) { $1 }
        return String(decoding: try JSONEncoder().encode(all), as: UTF8.self)
    }

    @Test(arguments: ["Arinsal", "<b>\u{202E}x</b> & “y”", "\u{0627}\u{0644}"]) func aRegionGetsAnotherName(
        name: String
    ) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let before = try #require(try here.state()["revision"] as? Int)
            let answer = try here.post("rename", Self.content(here, ["name": name]))
            #expect(answer.status == .ok, "\(answer.words)")
            #expect(answer.words.contains("is now called"))
            #expect(try here.store.region(here.region).name == name)
            // Other pages show it.
            let after = try #require(try here.state()["revision"] as? Int)
            #expect(after > before)
        }
    }

    @Test(arguments: [("", WebResponse.Status.badRequest), ("  ", .badRequest), ("a\u{0}", .badRequest)])
    func aNameThatIsNoneIsRefused(name: String, status: WebResponse.Status) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let before = try here.state()["revision"] as? Int
            let answer = try here.post("rename", Self.content(here, ["name": name]))
            #expect(answer.status == status && !answer.words.isEmpty)
            #expect(try here.store.region(here.region).name == "Coma Pedrosa")
            #expect(try here.state()["revision"] as? Int == before)
            let gone = #"{"region":"\#(UUID().uuidString)","name":"x"}"#
            #expect(try here.post("rename", gone).status == .notFound)
        }
    }

    @Test func factsAreThoseOfTheTerminal() async throws {
        try await WindowSite.with(hasItems: true) { (here: WindowSite) async throws in
            let facts = try here.get("facts/" + here.region.uuidString)
            #expect(facts.status == .ok)
            for word in ["Area", "Map", "Source", "Added", "OpenStreetMap"] { #expect(facts.words.contains(word)) }
            #expect(facts.words.contains(#""lines""#))
            #expect(try here.get("facts/" + UUID().uuidString).status == .notFound)
            #expect(try here.get("facts").status == .notFound)
        }
    }

    @Test func aRegionIsRemovedAsItWasSeen() async throws {
        try await WindowSite.with(hasItems: true, .noting) { (here: WindowSite) async throws in
            let care = try here.json("care/" + here.region.uuidString)
            #expect(care["losses"] as? String == "1 recorded hike, 1 planned route and 46 waypoints")
            let mark = try #require(care["mark"] as? String)
            let item = try #require(try here.store.items(.waypoint, of: here.region).first)
            try here.store.rename(item, of: here.region, to: "New name")
            let refused = try here.post("remove", Self.content(here, ["mark": mark]))
            #expect(refused.status == .conflict)
            #expect(refused.words.contains("changed in the meantime and was not removed"))
            #expect(try here.store.regions().count == 1)

            let now = try #require(try here.json("care/" + here.region.uuidString)["mark"] as? String)
            let removed = try here.post("remove", Self.content(here, ["mark": now]))
            #expect(removed.status == .ok, "\(removed.words)")
            #expect(removed.words.contains("Removed Coma Pedrosa") && removed.words.contains("46 waypoints"))
            // The copies for map programs go, too.
            #expect(removed.words.contains("Its files for map programs were removed, too."))
            #expect(try here.store.regions().isEmpty)
            #expect(try here.post("remove", Self.content(here, ["mark": now])).status == .notFound)
            #expect(try here.get("care/" + here.region.uuidString).status == .notFound)
        }
    }

    @Test func whatAnotherProgramDoesIsNoticed() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            func revision() throws -> Int? { try here.state()["revision"] as? Int }
            let before = try #require(try revision())
            #expect(try revision() == before)
            let other = try here.desk.open(.writing)
            try other.rename(here.region, to: "Arinsal")
            let after = try #require(try revision())
            #expect(after > before)
            #expect(try revision() == after)
        }
    }

    @Test func whatIsNotValidChangesNothing() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            for action in ["rename", "remove", "rename-item", "remove-item", "waypoint", "export", "end-export"] {
                for content in [
                    "", "[]", "{}", #"{"region":1}"#, #"{"region":"../x","name":"y","mark":"z","kind":"gpx"}"#,
                ] {
                    let status = try here.post(action, content).status
                    #expect(status == .badRequest || status == .notFound, "\(action) \(content)")
                }
            }
            #expect(try here.store.region(here.region).name == "Coma Pedrosa")
            #expect(here.desk.exports.count == 0)
        }
    }
}

extension WindowSurroundings {
    /// A machine whose map programs had copies.
    fileprivate static var noting: WindowSurroundings {
        var surroundings = WindowSurroundings.ofTests
        surroundings.removeCopies = { _, _ in .removed }
        return surroundings
    }
}
