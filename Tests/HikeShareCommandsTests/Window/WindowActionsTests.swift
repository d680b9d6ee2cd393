import Foundation
import Testing

@testable import MapPages
@testable import RegionStore
@testable import SharingWindow
@testable import WebServer

/// What pages of the window can ask the program to do.
@Suite struct WindowActionsTests {
    @Test func wishesBecomeJobs() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let id = here.region.uuidString
            var jobs = here.window.jobs.makeAsyncIterator()
            #expect(try here.post("send", #"{"regions":["\#(id)"],"hotspot":true}"#).status == .ok)
            #expect(try here.post("receive", "{}").status == .conflict)
            let job = try #require(await jobs.next())
            let sending = try #require(job.job as? SendingJob)
            #expect(sending.choice == SendingChoice([here.region]) && sending.makesNetwork && !sending.hasPage)
            #expect(try here.state()["title"] as? String == "Sending Coma Pedrosa")
            #expect(try here.post("stop", "{}").status == .ok)
            var stops = job.stops.makeAsyncIterator()
            #expect(await stops.next() != nil)
            here.window.end(AppWindowText("Stopped."))
            #expect(try here.post("stop", "{}").status == .conflict)

            #expect(try here.post("receive", #"{"link":true}"#).status == .ok)
            let begun = await jobs.next()
            let receiving = try #require(begun?.job as? ReceivingJob)
            #expect(receiving.hasLink && !receiving.joins)
            #expect(try here.post("quit", "{}").status == .ok)
            here.window.end()
            #expect(try here.post("receive", "{}").status == .conflict)
            #expect(await jobs.next() == nil)
        }
    }

    /// A name that would turn the writing around is shown with numbers.
    @Test func namesDoNotTurnTheWritingAround() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            _ = try Self.addRoute(here)
            _ = try here.store.rename(here.region, to: "Coma \u{202E}sorred")
            let title = #"Sending Coma \u{202e}sorred"#
            #expect(try SendingChoice([here.region]).title("Sending", in: here.store) == title)
            let job = ImportingJob(at: here.desk, from: .here(["/home/anna/\u{202E}xpg.exe\n"]))
            #expect(job.title == #"Adding \u{202e}xpg.exe\u{a}"#)
            let routes = try here.get("routes").words
            #expect(routes.contains("202e") && !routes.contains("\u{202E}"), "\(routes)")
        }
    }

    /// Adds a planned route to the region, and returns its id.
    private static func addRoute(_ here: WindowSite) throws -> UUID {
        let file = here.store.path + "/ridge.gpx"
        let points = #"<rtept lat="42.58" lon="1.46"/><rtept lat="42.59" lon="1.45"/>"#
        let gpx = #"<gpx version="1.1"><rte><name>Ridge</name>\#(points)</rte></gpx>"#
        try Data(gpx.utf8).write(to: URL(filePath: file))
        _ = try here.store.importGPX(at: file, into: here.region)
        return try #require(try here.store.items(.plannedRoute, of: here.region).first?.id)
    }

    /// A strip along an own route, or the area of an own map, is asked for.
    @Test func aPartIsAskedForByAnOwnRouteOrArea() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            func part(_ fields: String) async throws -> CutRequest {
                var jobs = here.window.jobs.makeAsyncIterator()
                let answer = try here.post("receive", #"{"part":{"region":"\#(here.region.uuidString)"\#(fields)}}"#)
                #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
                let begun = await jobs.next()
                let job = try #require(begun?.job as? ReceivingJob)
                here.window.end()
                return try #require(job.part)
            }
            let area = try await part("")
            #expect(try area.area == here.store.region(here.region).boundingBox && area.lines.isEmpty)
            let route = try Self.addRoute(here)
            let listed = try #require(
                try JSONSerialization.jsonObject(with: Data(here.get("routes").body)) as? [[String: Any]]
            )
            #expect(listed.map { $0["id"] as? String } == [route.uuidString])
            #expect(listed.first?["regionName"] as? String == "Coma Pedrosa")
            let strip = try await part(#","route":"\#(route.uuidString)","within":500"#)
            #expect(strip.area == nil && strip.lines.count == 1 && strip.distance == 500 && strip.names == ["Ridge"])
            let drawn = try await part(#","drawn":{"area":[1.45,42.56,1.5,42.6],"maximumZoom":14}"#)
            #expect(drawn.area?.west == 1.45 && drawn.area?.north == 42.6 && drawn.maximumZoom == 14)
            let nothing = #"{"part":{"region":"\#(here.region.uuidString)","drawn":{}}}"#
            #expect(try here.post("receive", nothing).status == .badRequest)
            let gone = #"{"part":{"region":"\#(here.region.uuidString)","route":"\#(UUID().uuidString)"}}"#
            #expect(try here.post("receive", gone).status == .badRequest)
            #expect(try here.post("receive", #"{"part":{"region":"all"}}"#).status == .badRequest)
            #expect(!here.window.isRunning)
        }
    }

    @Test(
        arguments: [
            ("receive", ""), ("receive", "["), ("receive", "[]"), ("answer", "{}"), ("answer", #"{"question":1}"#),
            ("answer", #"{"question":1,"answer":"y\nn"}"#), ("answer", #"{"question":"1","answer":"y"}"#),
            ("receive", String(repeating: "[", count: 10_000)),
        ]
    )
    func whatIsNotValidIsRefused(action: String, content: String) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            #expect(try here.post(action, content).status == .badRequest)
            #expect(!here.window.isRunning)
        }
    }

    @Test func aPersonChangesTheNameOfTheMachine() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            #expect(try here.state()["name"] == nil)
            #expect(try here.post("name", #"{"answer":""}"#).status == .badRequest)
            #expect(try here.post("name", #"{"answer":"Ben"}"#).status == .ok)
            #expect(try here.state()["name"] as? String == "Ben" && here.store.displayName() == "Ben")
            // What is sent now has a name already.
            #expect(try here.post("receive", "{}").status == .ok)
            #expect(try here.post("name", #"{"answer":"Carla"}"#).status == .conflict)
            #expect(try here.store.displayName() == "Ben")
        }
    }

    @Test func aRegionThatIsGoneIsNotSent() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            #expect(try here.post("send", #"{"regions":["\#(UUID().uuidString)"]}"#).status == .notFound)
            #expect(try here.post("send", #"{"regions":["--all"]}"#).status == .notFound)
        }
    }
}
