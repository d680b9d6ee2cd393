import Foundation
import PeerTestSupport
import Testing

@testable import MapPages
@testable import RegionSharing
@testable import RegionStore
@testable import SharingWindow
@testable import WebServer

/// Files that a person adds in the window.
@Suite(.timeLimit(.minutes(10))) struct WindowAddingTests {
    /// A file as a page sends it.
    struct File: Encodable {
        var name: String
        var bytes: [UInt8]

        init(_ name: String, _ text: String) { (self.name, bytes) = (name, Array(text.utf8)) }
        init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    }

    private static let example =
        URL(filePath: #filePath).pathComponents.prefix { $0 != "Tests" }.joined(separator: "/").dropFirst()
        + "/Docs/example/"

    private static func exampleFile(_ name: String) throws -> File {
        File(name, Array(try Data(contentsOf: URL(filePath: example + name))))
    }

    /// A tile, of which the first bytes say what it is.
    private static let tile: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A folder of tiles around Innsbruck.
    private static let tiles = [File("Nordkette/10/544/359.png", tile), File("Nordkette/0/0/0.png", tile)]

    private static func waypoints(_ places: (String, Double, Double)...) -> String {
        let points = places.map { #"<wpt lat="\#($0.1)" lon="\#($0.2)"><name>\#($0.0)</name></wpt>"# }
        return #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">\#(points.joined())</gpx>"#
    }

    /// Performs what a person wants in a window, until `body` returns.
    private static func running(_ body: @escaping @Sendable (WindowSite) async throws -> Void) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await here.desk.run(endsWithPages: false) }
                try await body(here)
                here.window.close()
                try await group.waitForAll()
            }
            // Nothing that was sent is left.
            #expect(try FileManager.default.contentsOfDirectory(atPath: here.store.path + "/work").isEmpty)
        }
    }

    /// Announces files; returns the answer as JSON.
    private static func announce(_ files: [File], in here: WindowSite) throws -> [String: Any] {
        let names = try String(decoding: JSONEncoder().encode(files.map(\.name)), as: UTF8.self)
        let answer = try here.post("files", #"{"names":\#(names),"sizes":\#(files.map(\.bytes.count))}"#)
        try #require(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    private static func block(
        _ id: String,
        _ offset: Int,
        _ bytes: some Sequence<UInt8>,
        in here: WindowSite
    ) throws -> WebResponse {
        try here.post("block/\(id)/\(offset)", Array(bytes), type: "application/octet-stream")
    }

    /// Sends files, as a page does.
    private static func send(_ files: [File], in here: WindowSite) throws {
        let id = try #require(try announce(files, in: here)["id"] as? String)
        let all = files.flatMap(\.bytes)
        for start in stride(from: 0, to: all.count, by: 1 << 20) {
            #expect(try block(id, start, all[start..<min(all.count, start + 1 << 20)], in: here).status == .ok)
        }
    }

    /// Answers the question that has a text in it.
    private static func answer(_ text: String, to question: String, in here: WindowSite) async {
        while here.window.current.question?.words.contains(question) != true { await Task.yield() }
        #expect(here.window.answer(text, to: here.window.current.questionNumber))
    }

    /// Waits for the end, and returns all words.
    private static func ended(_ here: WindowSite) async -> String {
        while here.window.isRunning { await Task.yield() }
        return here.window.current.lines.map(\.text.words).joined(separator: "\n")
    }

    @Test func aFolderOfTilesBecomesAMapAndWaypointsFindTheirMaps() async throws {
        try await Self.running { here in
            let places = Self.waypoints(("Hafelekar", 47.2, 11.4), ("Coma", 42.58, 1.45), ("Seegrube", 47.25, 11.38))
            let files =
                Self.tiles + [File("Nordkette.gpx", places), File("a/readme.txt", "hello"), File("x.exe", "hello")]
            try Self.send(files, in: here)
            await Self.answer("y", to: "Sign the maps", in: here)
            await Self.answer("Ben", to: "What should others call you?", in: here)
            let words = await Self.ended(here)
            #expect(words.contains("Imported Nordkette"), "\(words)")
            #expect(words.contains("Nordkette.gpx\nTo Nordkette: 2 waypoints"), "\(words)")
            #expect(words.contains("Nordkette.gpx\nTo Coma Pedrosa: 1 waypoint"), "\(words)")
            #expect(words.contains("x.exe is not a map") && words.contains("Left out: a/readme.txt"), "\(words)")
            #expect(words.contains("2 of 4 files are in your maps now. Not added: 1"), "\(words)")
            #expect(!words.contains("--") && !words.contains(here.store.path), "\(words)")
            let region = try #require(try here.store.regions().first { $0.name == "Nordkette" })
            #expect(region.signature?.name == "Ben" && region.tileCount == 2)
            // Two regions have got something, so the title leads to none.
            #expect(here.window.current.region == nil)
        }
    }

    @Test func aPersonWhoDoesNotSignIsNotAskedAgain() async throws {
        try await Self.running { here in
            try Self.send(Self.tiles, in: here)
            await Self.answer("n", to: "Sign the maps", in: here)
            _ = await Self.ended(here)
            let region = try #require(try here.store.regions().first { $0.name == "Nordkette" })
            #expect(region.signature == nil && here.window.current.region == region.id.uuidString)
            #expect(here.window.current.title == "“Nordkette” is here")
            try Self.send(Self.tiles, in: here)
            #expect(await Self.ended(here).contains("You already have this map: Nordkette"))
        }
    }

    /// What a map of the same area is asked about, and what becomes of it.
    @Test(arguments: [("y", ["Coma Pedrosa"]), ("another", ["Coma Pedrosa", "Mine"]), ("n", ["Coma Pedrosa"])])
    func aNewerMapIsAskedAbout(answer: String, names: [String]) async throws {
        try await Self.running { here in
            try here.store.setSignsMaps(false)
            // The same map with one byte more is another one.
            var map = try Self.exampleFile("coma-pedrosa.mbtiles")
            map.bytes[63] ^= 1
            try Self.send([map], in: here)
            await Self.answer(answer, to: "What should be done with it?", in: here)
            if answer == "another" { await Self.answer("Mine", to: "What should the other map be called?", in: here) }
            let words = await Self.ended(here)
            #expect(try here.store.regions().map(\.name).sorted() == names, "\(words)")
            if answer == "n" { #expect(words.contains("Left out: coma-pedrosa.mbtiles"), "\(words)") }
        }
    }

    @Test func whatIsNotAddedIsToldByItsReason() async throws {
        try await Self.running { here in
            for (files, expected) in [
                ([File("a.gpx", "")], "a.gpx is empty."), ([File("b.bin", "hello")], "b.bin is not a map"),
                ([File("c.gpx", Self.waypoints(("Far", 1, 1)))], "c.gpx is outside all your maps."),
                ([File("d/e.txt", "hello")], "There are no maps, track files or photos in it."),
                (
                    [File("f.mbtiles", try Self.exampleFile("coma-pedrosa.mbtiles").bytes.prefix(100_000) + [])],
                    "f.mbtiles"
                ),
            ] {
                try here.store.setSignsMaps(false)
                try Self.send(files, in: here)
                let words = await Self.ended(here)
                #expect(words.contains(expected), "\(words)")
                #expect(!words.contains("--") && !words.contains(here.store.path), "\(words)")
                #expect(here.window.current.lines.last?.kind == .problem)
            }
            #expect(try here.store.regions().count == 1)
        }
    }

    @Test func aStopLeavesNothing() async throws {
        try await Self.running { here in
            let id = try #require(try Self.announce(Self.tiles, in: here)["id"] as? String)
            #expect(here.window.current.title == "Adding Nordkette")
            #expect(try Self.block(id, 0, Self.tile, in: here).status == .ok)
            here.window.stop()
            #expect(await Self.ended(here).contains("Interrupted; nothing was added."))
            #expect(try Self.block(id, 8, Self.tile, in: here).status == .notFound)
            #expect(try here.get("block/\(id)").status == .notFound)
            // During a question.
            try Self.send(Self.tiles, in: here)
            while here.window.current.question == nil { await Task.yield() }
            here.window.stop()
            #expect(await Self.ended(here).contains("Interrupted; nothing was added."))
            #expect(try here.store.regions().count == 1)
        }
    }

    /// A page that was loaded again, or lost an answer, goes on where it was.
    @Test func anInterruptedPageGoesOn() async throws {
        try await Self.running { here in
            try here.store.setSignsMaps(false)
            let id = try #require(try Self.announce(Self.tiles, in: here)["id"] as? String)
            #expect(try Self.block(id, 0, Self.tile, in: here).status == .ok)
            let repeated = try Self.block(id, 0, Self.tile, in: here)
            #expect(
                repeated.status == .conflict && String(decoding: repeated.body, as: UTF8.self).contains(#""length":8"#)
            )
            // Other files are not taken in between.
            #expect(try here.post("files", #"{"names":["a"],"sizes":[1]}"#).status == .conflict)
            #expect(try here.post("add", #"{"paths":["/a"]}"#).status == .conflict)
            let again = try Self.announce(Self.tiles, in: here)
            #expect(again["id"] as? String == id && (again["progress"] as? [String: Any])?["length"] as? Int == 8)
            #expect(try here.json("block/\(id)")["state"] as? String == "receiving")
            let last = try Self.block(id, 8, Self.tile, in: here)
            #expect(String(decoding: last.body, as: UTF8.self).contains("added"))
            #expect(await Self.ended(here).contains("Imported Nordkette"))
        }
    }

    @Test func aPageThatIsGoneIsNotWaitedForAlways() async throws {
        try await Self.running { here in
            let files = try here.store.arrivingFiles([try #require(ArrivingFile(path: "a.gpx", size: 9))])
            var job = ImportingJob(at: here.desk, from: .sent(files))
            job.patience = .milliseconds(20)
            #expect(here.window.begin(job))
            #expect(await Self.ended(here).contains("The browser has stopped sending the files, so nothing was added."))
        }
    }

    @Test(
        arguments: [
            #"{"names":[],"sizes":[]}"#, #"{"names":["a"],"sizes":[]}"#, #"{"names":["a"],"sizes":[1,2]}"#,
            #"{"names":["../a"],"sizes":[1]}"#, #"{"names":["/a"],"sizes":[1]}"#, #"{"names":["a"],"sizes":[-1]}"#,
            #"{"names":["a","a"],"sizes":[1,1]}"#, #"{"names":["a"],"sizes":[18446744073709551615]}"#, "{}",
        ]
    )
    func whatIsNoListOfFilesIsRefused(content: String) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            #expect(try here.post("files", content).status == .badRequest)
            #expect(!here.window.isRunning)
        }
    }

    @Test func moreThanTheDiskHasIsRefusedBeforeItComes() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let answer = try here.post("files", #"{"names":["a.mbtiles"],"sizes":[400000000000000000]}"#)
            #expect(answer.status == .noSpace && !here.window.isRunning)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("Free some space"))
        }
    }

    @Test func blocksOfNothingAreRefused() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            #expect(try Self.block("x", 0, [1], in: here).status == .notFound)
            #expect(try here.post("block/x/0", "{}").status == .badRequest)
            let long = [UInt8](repeating: 0, count: ArrivingFiles.maximumBlockLength + 1)
            #expect(try Self.block("x", 0, long, in: here).status == .contentTooLarge)
        }
    }

    // MARK: Files at their place

    @Test(arguments: ["y", "n"]) func filesAreReadAfterAYes(answer: String) async throws {
        try await TemporaryDirectory.with { directory in
            try Data(Self.waypoints(("Coma", 42.58, 1.45)).utf8).write(to: URL(filePath: directory.path("a.gpx")))
            let (folder, path) = (directory.path, directory.path("a.gpx"))
            try await Self.running { (here: WindowSite) async throws in
                #expect(try here.post("add", #"{"paths":["\#(path)","\#(folder)/gone.gpx"]}"#).status == .ok)
                await Self.answer(answer, to: "\(path)\n\(folder)/gone.gpx\nAdd these to your maps?", in: here)
                let words = await Self.ended(here)
                if answer == "y" {
                    #expect(words.contains("a.gpx\nTo Coma Pedrosa: 1 waypoint"), "\(words)")
                    #expect(words.contains("\ngone.gpx cannot be read"), "\(words)")
                } else {
                    #expect(words.contains("Nothing was added.") && !words.contains("gone.gpx cannot"), "\(words)")
                }
                #expect(try here.store.waypoints(of: here.region).isEmpty == (answer == "n"))
            }
            // It is where it was.
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test(arguments: [
        #"{"paths":[]}"#, #"{"paths":["a.gpx"]}"#, #"{"paths":["/a","b"]}"#, #"{"paths":["/a\u0000b"]}"#, "{}",
    ])
    func onlyWholePathsAreAskedAbout(content: String) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            #expect(try here.post("add", content).status == .badRequest)
            let many = #"{"paths":[\#([String](repeating: #""/a""#, count: 101).joined(separator: ","))]}"#
            #expect(try here.post("add", many).status == .badRequest && !here.window.isRunning)
        }
    }

    @Test func filesOfOneFolderHaveTheirNamesOnly() {
        func names(_ paths: String...) -> [String] {
            let found = ImportingJob.inFolder(paths)
            return [found.folder] + found.names
        }
        #expect(names("/home/anna/a.gpx") == ["/home/anna", "a.gpx"])
        #expect(names("/home/anna/a/b.gpx", "/home/anna/c.gpx") == ["/home/anna", "a/b.gpx", "c.gpx"])
        #expect(names("/a", "/b/c") == ["", "a", "b/c"])
        #expect(names("/home/anna/Alps/", "/home/anna") == ["/home", "anna/Alps", "anna"])
    }
}
