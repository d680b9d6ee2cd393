import Foundation
import PeerStorage
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages
@testable import WebServer

/// What the pages of the window may do.
@Suite struct AppWindowSiteTests {
    private struct Nothing: Decodable {}

    private struct Answer: Decodable {
        var question: Int
        var answer: String
    }

    /// A job that is never performed.
    private struct NoJob: AppWindowJob {
        var title: String { "A job" }

        func run(_ stops: AsyncStream<Void>) async throws {}
    }

    private struct Site {
        var example: ExampleSite
        var window = AppWindow()
        var site: AppWindowSite {
            let window = window
            return AppWindowSite(
                of: example.store,
                secret: example.secret,
                window: window,
                actions: [
                    "begin": AppWindowAction(Nothing.self) { _ in
                        window.begin(NoJob()) ? AppWindowAction.done : WebResponse(.conflict, "")
                    },
                    "answer": AppWindowAction(Answer.self) { sent in
                        window.answer(sent.answer, to: sent.question)
                            ? AppWindowAction.done : WebResponse(.conflict, "")
                    },
                    "later": .waiting(for: Answer.self) { sent in
                        await Task.yield()
                        return WebResponse(Array("\(sent.question) \(sent.answer)".utf8), as: "text/plain")
                    },
                    "file": AppWindowAction(contentType: "application/octet-stream", maximumLength: 100_000) {
                        WebResponse(Array("\($1.joined(separator: "+")) \($0.contentLength)".utf8), as: "text/plain")
                    },
                ],
                readings: ["facts": { WebResponse(Array($0.joined(separator: "+").utf8), as: "text/plain") }],
                askings: [
                    "slow": { request, rest in
                        await Task.yield()
                        return WebResponse(Array(rest.joined(separator: "+").utf8), as: "text/plain")
                    }
                ]
            )
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
                ("\(secret)/window/begin", true, "application/json", nil),
                ("\(secret)/window/begin", false, "application/json", .forbidden),
                // What a form can send.
                ("\(secret)/window/begin", true, "text/plain", .badRequest),
                ("\(secret)/window/begin", true, nil, .badRequest),
                ("\(String(repeating: "a", count: 26))/window/begin", true, "application/json", .notFound),
                ("window/begin", true, "application/json", .notFound),
                ("\(secret)/window/remove", true, "application/json", .methodNotAllowed),
                ("\(secret)/window/begin/", true, "application/json", .methodNotAllowed),
                ("\(secret)/regions.json", true, "application/json", .methodNotAllowed),
                // A form cannot send this type either.
                ("\(secret)/window/file/1", true, "application/octet-stream", nil),
                ("\(secret)/window/file/1", false, "application/octet-stream", .forbidden),
                ("\(secret)/window/file/1", true, "application/json", .badRequest),
                ("\(secret)/window/begin", true, "application/octet-stream", .badRequest),
            ] as [(String, Bool, String?, WebResponse.Status?)] {
                let request = try here.request(path, isOwn: isOwn, type: type)
                #expect(here.site.refusal(ofContentFor: request)?.status == status, "\(path)")
            }
            // Reading begins nothing.
            #expect(here.site.respond(to: try here.request("\(secret)/window/begin")).status == .notFound)
            #expect(!here.window.isRunning)
        }
    }

    @Test func questionsAreAnsweredOnce() async throws {
        try await Self.with { (here: Site) async throws in
            #expect(try here.post("begin", "{}").status == .ok)
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
            #expect(try here.post("begin", "{}").status == .ok)
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

    @Test func aMapThatIsHereIsSaidAndShown() async throws {
        try await Self.with { (here: Site) async throws in
            #expect(try here.post("begin", "{}").status == .ok)
            here.window.tell(region: here.example.id.uuidString, title: "“Coma Pedrosa” is here")
            #expect(try here.state()["title"] as? String == "“Coma Pedrosa” is here")
            #expect(try here.state()["region"] as? String == here.example.id.uuidString)
            here.window.end()
            #expect(try here.state()["region"] != nil)
            #expect(try here.post("begin", "{}").status == .ok)
            #expect(try here.state()["region"] == nil)
        }
    }

    @Test func eachActionHasItsLimit() async throws {
        try await Self.with { (here: Site) async throws in
            let secret = here.example.secret.text
            for (action, length, isRefused) in [
                ("begin", 16_384, false), ("begin", 16_385, true), ("file", 16_385, false), ("file", 100_001, true),
            ] {
                let type = action == "file" ? "application/octet-stream" : "application/json"
                var request = try here.request("\(secret)/window/\(action)", type: type)
                request.contentLength = length
                #expect((here.site.refusal(ofContentFor: request) != nil) == isRefused, "\(action) \(length)")
            }
            #expect(here.site.maximumContentLength == 100_000)
        }
    }

    @Test func whatTakesAWhileIsAwaited() async throws {
        try await Self.with { (here: Site) async throws in
            let folder = "\(here.example.secret.text)/window"
            for (path, words) in [("slow/a/b", "a+b"), ("slow", ""), ("facts/a", "a")] {
                let answer = await here.site.answer(to: try here.request("\(folder)/\(path)"))
                #expect(answer.status == .ok && String(decoding: answer.body, as: UTF8.self) == words, "\(path)")
            }
            for path in ["\(folder)/slow/", "\(folder)/later", "\(String(repeating: "a", count: 26))/window/slow"] {
                #expect(await here.site.answer(to: try here.request(path)).status == .notFound, "\(path)")
            }
            func post(_ content: String, isOwn: Bool = true) async throws -> WebResponse {
                var request = try here.request("\(folder)/later", isOwn: isOwn)
                if let refusal = here.site.refusal(ofContentFor: request) { return refusal }
                let file = try here.site.contentFile()
                try file.write(Array(content.utf8))
                request.content = file
                return await here.site.answer(to: request)
            }
            let answer = try await post(#"{"question":1,"answer":"y"}"#)
            #expect(answer.status == .ok && String(decoding: answer.body, as: UTF8.self) == "1 y")
            #expect(try await post(#"{"question":1,"answer":"y"}"#, isOwn: false).status == .forbidden)
            #expect(try await post(#"{"question":1}"#).status == .badRequest)
        }
    }

    @Test func whatFollowsANameIsGivenToIt() async throws {
        try await Self.with { (here: Site) async throws in
            let answer = here.site.respond(to: try here.request("\(here.example.secret.text)/window/facts/a/b"))
            #expect(try answer.status == .ok && String(decoding: answer.content, as: UTF8.self) == "a+b")
            #expect(
                here.site.respond(to: try here.request("\(here.example.secret.text)/window/other")).status == .notFound
            )
        }
    }
}
