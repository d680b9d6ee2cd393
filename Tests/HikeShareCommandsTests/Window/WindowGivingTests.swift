import Foundation
import PeerCore
import PeerStorage
import PeerTestSupport
import RegionModel
import RegionSharing
import SharingTestSupport
import Testing

@testable import MapFiles
@testable import MapPages
@testable import RegionStore
@testable import SharingReports
@testable import SharingWindow
@testable import WebServer

/// What a person chooses to send in the window.
@Suite struct WindowGivingTests {
    private static let area = #"{"area":[1.44,42.57,1.48,42.6]}"#

    /// Puts a route into the example region, and returns its key.
    private static func addRoute(to here: WindowSite) throws -> String {
        let map = try #require(URL(filePath: #filePath).pathComponents.firstIndex(of: "Tests")).magnitude
        let repository = URL(filePath: #filePath).pathComponents.prefix(Int(map)).joined(separator: "/").dropFirst()
        let path = repository + "/Docs/example/arinsal-pic-de-comapedrosa.route.gpx"
        _ = try here.store.importGPX(at: String(path), into: here.region)
        let route = try #require(try here.store.routes(of: here.store.region(here.region)).first)
        return ItemKey.text(of: route.id)
    }

    private static func sent(_ here: WindowSite, _ wish: String) async throws -> SendingChoice {
        var jobs = here.window.jobs.makeAsyncIterator()
        let answer = try here.post("send", wish)
        try #require(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        let begun = await jobs.next()
        let job = try #require(begun?.job as? SendingJob)
        here.window.end()
        return job.choice
    }

    @Test func aWishIsWhatWasTicked() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let (id, key) = (here.region.uuidString, try Self.addRoute(to: here))
            let whole = try await Self.sent(here, #"{"regions":["\#(id)"]}"#)
            #expect(whole == SendingChoice([here.region]) && !whole.includesHealth && whole.kinds == nil)
            let parts = try await Self.sent(
                here,
                #"{"regions":["\#(id)"],"kinds":["map","planned"],"lines":["\#(key)"],"health":true,"photoDetails":false}"#
            )
            #expect(parts.kinds == [.mbtiles, .plannedroutes] && parts.routes.count == 1)
            #expect(parts.includesHealth && !parts.includesPhotoDetails && parts.part == nil)
            let drawn = try await Self.sent(
                here,
                #"{"regions":["\#(id)"],"part":{"along":["\#(key)"],"within":300,"maximumZoom":14}}"#
            )
            #expect(drawn.part?.lines == [key] && drawn.part?.distance == 300 && drawn.part?.maximumZoom == 14)
            #expect(try here.state()["title"] as? String == "Sending a part of Coma Pedrosa")
            let all = try await Self.sent(here, #"{"all":true,"web":true}"#)
            #expect(all.regions == [here.region])
        }
    }

    /// What is offered is what was ticked, with the same bytes as the command line offers.
    @Test func theOfferHasTheDrawnPart() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let (id, key) = (here.region.uuidString, try Self.addRoute(to: here))
            let person = TestPerson()
            for part in [Self.area, #"{"along":["\#(key)"],"within":300}"#, #"{"maximumZoom":13}"#] {
                let choice = try await Self.sent(here, #"{"regions":["\#(id)"],"part":\#(part)}"#)
                let sent = try #require(try choice.offer(of: here.store, for: person).first)
                let size = try #require(sent.source.manifest.entry(of: .mbtiles)).layout.size
                let path = try #require(choice.part).path
                let said = try here.json("part/\(id)/\(path)")
                #expect(said["tiles"] as? Int == sent.source.region.tileCount && said["wholeTiles"] as? Int ?? 0 > 0)
                let bytes = try #require(said["size"] as? Int)
                #expect(abs(bytes - Int(size)) <= 4096, "\(bytes) and \(size) bytes")
                #expect(Wording.size(UInt64(bytes)) == Wording.size(size))
            }
            let only = try await Self.sent(here, #"{"regions":["\#(id)"],"kinds":["planned"]}"#)
            let sent = try #require(try only.offer(of: here.store, for: person).first)
            #expect(sent.source.manifest.entries.map(\.kind) == [.plannedroutes])
        }
    }

    @Test(
        arguments: [
            #""part":{}"#, #""part":{"area":[1,2,3]}"#, #""part":{"area":[1,50,2,40]}"#,
            #""part":{"area":[1,2,3,1e999]}"#, #""part":{"maximumZoom":99}"#, #""part":{"maximumZoom":1.5}"#,
            #""kinds":[]"#, #""kinds":["sensors"]"#, #""kinds":"map""#, #""hotspot":"yes""#,
        ]
    )
    func aWishThatNoPageHasIsRefused(fields: String) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let answer = try here.post("send", #"{"regions":["\#(here.region.uuidString)"],\#(fields)}"#)
            #expect(answer.status == .badRequest && !here.window.isRunning)
        }
    }

    @Test(
        arguments: [
            "", "area_1_2_3", "area_1_2_3_x", "zoom_99", "within_300", "zoom_14/zoom_13", "along_x_y", "tiles_1",
        ]
    )
    func aPartThatIsNoneHasNoSize(path: String) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let whole = "part/\(here.region.uuidString)" + (path.isEmpty ? "" : "/" + path)
            #expect(try here.get(whole).status == .badRequest)
            #expect(try here.get("part").status == .notFound)
            #expect(try here.get("part/\(UUID().uuidString)/zoom_13").status == .notFound)
        }
    }

    @Test func aRouteThatIsGoneIsSaid() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let answer = try here.get("part/\(here.region.uuidString)/along_0123456789ab")
            #expect(answer.status == .conflict)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("does not have this hike or route any more"))
        }
    }

    /// A part that is saved as a file has the size that was said.
    @Test func aPartIsSavedAsAFile() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let id = here.region.uuidString
            let wish = #"{"region":"\#(id)","kind":"mbtiles","part":{"area":[1.44,42.57,1.48,42.6]}}"#
            let said = try #require(try here.json("part/\(id)/area_1.44_42.57_1.48_42.6")["size"] as? Int)
            let desk = here.desk
            let actions = WindowActions(at: desk, reading: here.store)
            var request = WebRequest(try #require(WebPath("/window/export")))
            let file = try here.store.temporaryFile()
            try file.write(Array(wish.utf8))
            request.content = file
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await desk.run(endsWithPages: false) }
                let answer = try #require(actions.all["export"]).perform(request, [])
                let begun = try #require(
                    try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: String]
                )
                let export = try #require(UUID(uuidString: begun["export"] ?? ""))
                var size: UInt64?
                while size == nil {
                    let shown = try #require(desk.exports.shown(export))
                    try #require(shown.problem == nil, "\(shown)")
                    size = shown.size
                    await Task.yield()
                }
                #expect(abs(Int(size ?? 0) - said) <= 4096)
                desk.window.close()
            }
            #expect(try here.post("export", #"{"region":"\#(id)","kind":"mbtiles","part":{}}"#).status == .badRequest)
        }
    }

    @Test func onlyWhatTheRegionHasIsOffered() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let key = try Self.addRoute(to: here)
            let contents = try here.json("contents/\(here.region.uuidString)")
            let kinds = try #require(contents["kinds"] as? [[String: Any]])
            #expect(kinds.compactMap { $0["kind"] as? String } == ["map", "planned"])
            #expect(kinds.compactMap { $0["name"] as? String } == ["map", "1 planned route"])
            let lines = try #require(contents["lines"] as? [[String: Any]])
            #expect(lines.map { $0["key"] as? String } == [key] && lines[0]["kind"] as? String == "planned")
            #expect(contents["hasHikes"] as? Bool == false && contents["hasPhotos"] as? Bool == false)
        }
    }
}

/// A person who is told things, and asked nothing.
private struct TestPerson: Person {
    func tell(_ happening: Happening) {}

    func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }
}

extension PartChoice {
    /// The part as the page says it in an address.
    fileprivate var path: String {
        var components = area.map { ["area_\($0.west)_\($0.south)_\($0.east)_\($0.north)"] } ?? []
        components += lines.map { "along_\($0)" }
        if !lines.isEmpty { components.append("within_\(distance)") }
        if let maximumZoom { components.append("zoom_\(maximumZoom)") }
        return components.joined(separator: "/")
    }
}
