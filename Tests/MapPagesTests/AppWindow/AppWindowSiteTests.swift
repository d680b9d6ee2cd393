import Foundation
import PeerStorage
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages
@testable import WebServer

/// What the pages of the window may do.
@Suite struct AppWindowSiteTests {
    private struct Site {
        var example: ExampleSite
        var window = AppWindow()
        var site: AppWindowSite {
            AppWindowSite(of: example.store, secret: example.secret, window: window) { $0.isEmpty ? nil : $0 }
        }

        func request(_ path: String, isOwn: Bool = true, type: String? = "application/json") throws -> WebRequest {
            var request = WebRequest(try #require(WebPath("/" + path)))
            (request.isFromOwnPage, request.contentType) = (isOwn, type)
            return request
        }

        func post(_ action: String, _ content: String) throws -> WebResponse {
            var request = try request("\(example.secret.text)/window/\(action)")
            let file = try site.contentFile()
            try file.write(Array(content.utf8))
            request.content = file
            #expect(site.refusal(ofContentFor: request) == nil)
            return site.respond(to: request)
        }

        func state(after number: Int = 0) throws -> [String: Any] {
            let answer = site.respond(to: try request("\(example.secret.text)/window/state/\(number)"))
            return try #require(try JSONSerialization.jsonObject(with: try answer.content) as? [String: Any])
        }
    }

    private static func with(_ body: (Site) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            try await body(Site(example: try ExampleSite(in: directory, gpx: [])))
        }
    }

    @Test func onlyItsOwnPageChangesAnything() async throws {
        try await Self.with { (here: Site) async throws in
            let secret = here.example.secret.text
            for (path, isOwn, type, status) in [
                ("\(secret)/window/receive", true, "application/json", nil),
                ("\(secret)/window/receive", false, "application/json", .forbidden),
                // What a form can send.
                ("\(secret)/window/receive", true, "text/plain", .badRequest),
                ("\(secret)/window/receive", true, nil, .badRequest),
                ("\(String(repeating: "a", count: 26))/window/receive", true, "application/json", .notFound),
                ("window/receive", true, "application/json", .notFound),
                ("\(secret)/window/remove", true, "application/json", .methodNotAllowed),
                ("\(secret)/window/receive/", true, "application/json", .methodNotAllowed),
                ("\(secret)/regions.json", true, "application/json", .methodNotAllowed),
            ] as [(String, Bool, String?, WebResponse.Status?)] {
                let request = try here.request(path, isOwn: isOwn, type: type)
                #expect(here.site.refusal(ofContentFor: request)?.status == status, "\(path)")
            }
            // Reading begins nothing.
            #expect(here.site.respond(to: try here.request("\(secret)/window/receive")).status == .notFound)
            #expect(!here.window.isRunning)
        }
    }

    @Test func wishesBecomeJobs() async throws {
        try await Self.with { (here: Site) async throws in
            let id = here.example.id.uuidString
            var jobs = here.window.jobs.makeAsyncIterator()
            #expect(try here.post("send", #"{"region":"\#(id)","hotspot":true}"#).status == .ok)
            #expect(try here.post("receive", "{}").status == .conflict)
            var options = AppWindow.SendOptions()
            options.makesNetwork = true
            let job = try #require(await jobs.next())
            #expect(job.wish == .send(id, options))
            #expect(try here.state()["title"] as? String == "Sending Coma Pedrosa")
            #expect(try here.post("stop", "{}").status == .ok)
            var stops = job.stops.makeAsyncIterator()
            #expect(await stops.next() != nil)
            here.window.end(AppWindowText("Stopped."))
            #expect(try here.post("stop", "{}").status == .conflict)

            #expect(try here.post("receive", #"{"link":true}"#).status == .ok)
            var received = AppWindow.ReceiveOptions()
            received.hasLink = true
            #expect(await jobs.next()?.wish == .receive(received))
            #expect(try here.post("quit", "{}").status == .ok)
            here.window.end()
            #expect(try here.post("receive", "{}").status == .conflict)
            #expect(await jobs.next() == nil)
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
        try await Self.with { (here: Site) async throws in
            #expect(try here.post(action, content).status == .badRequest)
            #expect(!here.window.isRunning)
        }
    }

    @Test func aPersonChangesTheNameOfTheMachine() async throws {
        try await Self.with { (here: Site) async throws in
            #expect(try here.state()["name"] == nil)
            #expect(try here.post("name", #"{"answer":""}"#).status == .badRequest)
            #expect(try here.post("name", #"{"answer":"Ben"}"#).status == .ok)
            #expect(try here.state()["name"] as? String == "Ben" && here.example.store.displayName() == "Ben")
            // What is sent now has a name already.
            #expect(try here.post("receive", "{}").status == .ok)
            #expect(try here.post("name", #"{"answer":"Carla"}"#).status == .conflict)
            #expect(try here.example.store.displayName() == "Ben")
        }
    }

    @Test func aMapThatIsHereIsSaidAndShown() async throws {
        try await Self.with { (here: Site) async throws in
            #expect(try here.post("receive", "{}").status == .ok)
            here.window.tell(region: here.example.id.uuidString, title: "“Coma Pedrosa” is here")
            #expect(try here.state()["title"] as? String == "“Coma Pedrosa” is here")
            #expect(try here.state()["region"] as? String == here.example.id.uuidString)
            here.window.end()
            #expect(try here.state()["region"] != nil)
            #expect(try here.post("receive", "{}").status == .ok)
            #expect(try here.state()["region"] == nil)
        }
    }

    @Test func aRegionThatIsGoneIsNotSent() async throws {
        try await Self.with { (here: Site) async throws in
            #expect(try here.post("send", #"{"region":"\#(UUID().uuidString)"}"#).status == .notFound)
            #expect(try here.post("send", #"{"region":"--all"}"#).status == .notFound)
        }
    }

    @Test func questionsAreAnsweredOnce() async throws {
        try await Self.with { (here: Site) async throws in
            #expect(try here.post("receive", "{}").status == .ok)
            here.window.tell(AppWindowText("first"))
            async let answer = here.window.ask(AppWindowQuestion(AppWindowText("Take it?"), form: .yesOrNo))
            while try here.state()["question"] == nil { await Task.yield() }
            let number = try #require(try here.state()["questionNumber"] as? Int)
            #expect(try here.post("answer", #"{"question":\#(number + 1),"answer":"y"}"#).status == .conflict)
            #expect(try here.post("answer", #"{"question":\#(number),"answer":"y"}"#).status == .ok)
            #expect(try await answer == "y")
            #expect(try here.post("answer", #"{"question":\#(number),"answer":"n"}"#).status == .conflict)
            // A page gets what it does not have yet.
            let lines = try #require(try here.state(after: 1)["lines"] as? [[String: Any]])
            #expect(lines.count == 1 && lines[0]["answer"] as? String == "Yes")
        }
    }

    @Test func aCancelledQuestionIsWithdrawn() async throws {
        try await Self.with { (here: Site) async throws in
            #expect(try here.post("receive", "{}").status == .ok)
            let window = here.window
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { (try? await window.ask(AppWindowQuestion(AppWindowText("?")))) == nil }
                while window.current.question == nil { await Task.yield() }
                group.cancelAll()
                #expect(await group.next() == true)
            }
            #expect(try here.state()["question"] == nil)
        }
    }

    @Test func theListHasTheWindowAndThePageForPhonesHasNot() async throws {
        try await Self.with { (here: Site) async throws in
            let secret = here.example.secret.text
            for path in ["\(secret)/", "\(secret)/\(here.example.id.uuidString)/"] {
                let page = String(decoding: here.site.respond(to: try here.request(path)).body, as: UTF8.self)
                #expect(page.contains("assets/window.js") && page.contains("assets/window.css"))
            }
            let page = try here.example.share(personal: false)
            #expect(!String(decoding: try page.map("").content, as: UTF8.self).contains("window.js"))
            #expect(!String(decoding: try page.get("").content, as: UTF8.self).contains("window.js"))
        }
    }
}
