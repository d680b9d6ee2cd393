import Foundation
import PeerStorage
import PeerTestSupport
import RegionSharing
import SharingReports
import Testing

@testable import MapPages
@testable import RegionStore
@testable import SharingWindow
@testable import WebServer

/// Maps on sticks, which two windows write and read.
@Suite(.timeLimit(.minutes(10))) struct WindowSticksTests {
    /// A window of a store, whose jobs are performed.
    private struct Side {
        let window = AppWindow()
        let store: RegionStore
        let desk: WindowDesk

        init(_ path: String, name: String, drives: String) throws {
            store = try RegionStore(path: path, application: Software.name, access: .creating)
            try store.setDisplayName(name)
            var surroundings = WindowSurroundings.ofTests
            surroundings.drives = MountedDrives(below: [drives])
            desk = WindowDesk(window: window, store: path, surroundings: surroundings)
        }

        /// Performs an action until its job ends, and returns the words of its lines.
        func perform(_ action: String, _ wish: String, answers: [String] = []) async throws -> String {
            let actions = WindowActions(at: desk, reading: store).all
            var request = WebRequest(try #require(WebPath("/window/\(action)")))
            let file = try store.temporaryFile()
            try file.write(Array(wish.utf8))
            request.content = file
            let response = try #require(actions[action]).perform(request, [])
            try #require(response.status == .ok, "\(String(decoding: response.body, as: UTF8.self))")
            for answer in answers {
                while window.current.question == nil, window.isRunning { await Task.yield() }
                try #require(window.answer(answer, to: window.current.questionNumber))
            }
            while window.isRunning { await Task.yield() }
            return window.current.lines.map(\.text.words).joined(separator: "\n")
        }
    }

    /// Performs the jobs of two windows while `body` runs.
    private static func with(
        _ body: @escaping @Sendable (Side, Side, _ stick: String) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let stick = directory.path("drives/STICK")
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            let anna = try Side(directory.path("a"), name: "Anna", drives: directory.path("drives"))
            let ben = try Side(directory.path("b"), name: "Ben", drives: directory.path("drives"))
            let source = try WindowSite(in: directory)
            let example = try source.store.region(source.region)
            let exported = directory.path("example.mbtiles")
            try source.store.export(
                source.store.cut(CutRule(maximumZoom: 30), of: example),
                to: exported
            )
            _ = try anna.store.importMap(at: exported, name: "Coma Pedrosa")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for side in [anna, ben] { group.addTask { await side.desk.run(endsWithPages: false) } }
                defer { for side in [anna, ben] { side.window.close() } }
                try await body(anna, ben, stick)
            }
        }
    }

    private static func files(_ stick: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: stick).sorted()
    }

    @Test func aMapGoesByRequest() async throws {
        try await Self.with { anna, ben, stick in
            let id = try #require(try anna.store.regions().first).id
            let send = #"{"regions":["\#(id.uuidString)"],"drive":"STICK"}"#
            // Nobody has asked yet.
            let none = try await anna.perform("send", send)
            #expect(none.contains("There is no request of another machine") && none.contains("Receive from a stick …"))
            #expect(!none.contains("--"), "\(none)")
            let asked = try await ben.perform("stick", #"{"drive":"STICK"}"#)
            #expect(asked.contains("Wrote a request") && asked.contains("“To a stick …”"), "\(asked)")
            #expect(try Self.files(stick).count == 1)
            let drives = ben.desk.surroundings.drives.list()
            #expect(drives.map(\.name) == ["STICK"] && drives[0].requests == 1 && drives[0].files == 0)

            let declined = try await anna.perform("send", send, answers: ["n"])
            #expect(try declined.contains("You declined; nothing was written.") && Self.files(stick).count == 1)
            let written = try await anna.perform("send", send, answers: ["y"])
            #expect(written.contains("Wrote “Coma Pedrosa” for “Ben” (new)"), "\(written)")
            #expect(try Self.files(stick).count == 2)

            let refused = try await ben.perform("stick", #"{"drive":"STICK"}"#, answers: ["n"])
            #expect(try ben.store.regions().isEmpty, "\(refused)")
            let received = try await ben.perform("stick", #"{"drive":"STICK"}"#, answers: ["y"])
            #expect(received.contains("Received Coma Pedrosa"), "\(received)")
            #expect(try ben.store.region(id).mapDigest == anna.store.region(id).mapDigest)
            // What was sealed for this machine is used up.
            #expect(try Self.files(stick).isEmpty)
        }
    }

    /// Each is told of, and what ends the work is a sentence, too.
    @Test func filesThatAreDamagedAreToldOf() async throws {
        try await Self.with { _, ben, stick in
            for name in ["a.stick", "b\u{202E}.stick"] {
                try Data(repeating: 7, count: 3000).write(to: URL(filePath: stick + "/" + name))
            }
            let words = try await ben.perform("stick", #"{"drive":"STICK"}"#)
            #expect(words.contains("a.stick: The file on the stick is damaged"), "\(words)")
            #expect(words.contains(#"b\u{202e}.stick"#), "\(words)")
            #expect(words.hasSuffix("Nothing was taken from the stick."), "\(words)")
            #expect(!words.contains("NothingTaken"), "\(words)")
        }
    }

    @Test func aPartGoesToAnyoneWithTheLink() async throws {
        try await Self.with { anna, ben, stick in
            let id = try #require(try anna.store.regions().first).id
            let wish = #"{"regions":["\#(id.uuidString)"],"drive":"STICK","anyone":true,"part":{"maximumZoom":13}}"#
            let written = try await anna.perform("send", wish)
            let link = try #require(written.firstMatch(of: /STICK:[0-9A-Z]+/)).0
            #expect(written.contains("Anyone who has the stick and this link can read the map."), "\(written)")
            #expect(!anna.window.current.lines.flatMap(\.drawings).isEmpty)
            let received = try await ben.perform("stick", #"{"drive":"STICK","link":"\#(link)"}"#, answers: ["y"])
            #expect(received.contains("Received Coma Pedrosa"), "\(received)")
            #expect(try ben.store.region(id).cut?.maximumZoom == 13)
            #expect(try Self.files(stick).count == 1)
        }
    }

    /// A page names drives, and never paths.
    @Test(arguments: ["../STICK", "/tmp", "", ".", "..", "STICK/", "other"])
    func nothingElseIsADrive(name: String) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            try await TemporaryDirectory.with { directory in
                let drives = directory.path("drives")
                try FileManager.default.createDirectory(atPath: drives + "/STICK", withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(atPath: drives + "/other", withDestinationPath: "/tmp")
                var here = here
                here.surroundings.drives = MountedDrives(below: [drives, directory.path("nothing")])
                let id = here.region.uuidString
                #expect(try here.post("stick", #"{"drive":"\#(name)"}"#).status == .notFound)
                #expect(try here.post("send", #"{"regions":["\#(id)"],"drive":"\#(name)"}"#).status == .notFound)
                #expect(!here.window.isRunning)
                let listed = try #require(try here.json("drives")["drives"] as? [[String: Any]])
                #expect(listed.map { $0["name"] as? String } == ["STICK"] && listed[0]["path"] == nil)
                #expect(try here.post("stick", #"{"drive":"STICK","link":"marmot"}"#).status == .badRequest)
            }
        }
    }
}
