import Foundation
import GRDB
import PeerTestSupport
import Testing

/// Removing a region, and what becomes of its routes and waypoints.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct RemoveTests {
    private static let items = "1 recorded hike, 1 planned route and 46 waypoints"

    /// A laptop with the example region, and a folder to write to.
    private func withLaptop(_ body: (Laptop, _ folder: String) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let folder = directory.path("home")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try await body(laptop, folder)
        }
    }

    /// Runs `remove` in a terminal, in a folder, and answers its questions.
    private func remove(
        on laptop: Laptop,
        in folder: String,
        _ arguments: [String] = [],
        answering answers: [(question: String, answer: String)]
    ) async throws -> (status: PeerTestSupport.ExitStatus, text: String) {
        let all = ["-C", folder, Place.program, "remove", Example.name] + arguments
        return try await laptop.inTerminal(running: "/usr/bin/env", all) { screen in
            for (question, answer) in answers {
                try await screen.wait { $0.hasSuffix(question + " ") }
                try screen.type(answer)
            }
            return try await screen.complete()
        }
    }

    /// The names and places in a GPX file of the example region.
    private func expectEverything(in file: String, location: SourceLocation = #_sourceLocation) async throws {
        try await TemporaryDirectory.with { directory in
            let other = Laptop(store: directory.path("other"))
            try await other.must("import", Example.map)
            let imported = try await other.must("import", file).lines("importedGPX").first
            for (kind, count) in [("hikes", 1), ("plannedRoutes", 1), ("waypoints", 46)] {
                #expect(imported?[kind]?["added"]?.int == count, "\(kind)", sourceLocation: location)
            }
        }
    }

    @Test func aYesToBothQuestionsWritesTheRoutesFirst() async throws {
        try await withLaptop { laptop, folder in
            // A file of that name is left alone.
            try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/Coma-Pedrosa.gpx"))
            let (status, text) = try await remove(
                on: laptop,
                in: folder,
                answering: [
                    ("Write its \(Self.items) to Coma-Pedrosa-2.gpx first? [Y/n]", "\n"),
                    ("Remove it for good? [y/N]", "y\n"),
                ]
            )
            #expect(status == .exited(0), "\(text)")
            #expect(text.contains("“Coma Pedrosa” (") && text.contains("2.7 MB"), "\(text)")
            #expect(text.contains("Wrote Coma-Pedrosa-2.gpx") && text.contains("Removed Coma Pedrosa: map"), "\(text)")
            #expect(try String(contentsOfFile: folder + "/Coma-Pedrosa.gpx", encoding: .utf8) == "mine")
            try await expectEverything(in: folder + "/Coma-Pedrosa-2.gpx")
            let contents = try StoreContents(of: laptop.store)
            #expect(StoreContents.tables.allSatisfy { contents.count($0) == 0 } && contents.files.isEmpty)
        }
    }

    @Test func whoWantsNoFileIsToldWhatGoes() async throws {
        try await withLaptop { laptop, folder in
            let (status, text) = try await remove(
                on: laptop,
                in: folder,
                answering: [("first? [Y/n]", "n\n"), ("Remove it for good, with its \(Self.items)? [y/N]", "y\n")]
            )
            #expect(status == .exited(0), "\(text)")
            #expect(try StoreContents(of: laptop.store).count("region") == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test(arguments: [["\n", "\n"], ["\n", "n\n"], ["n\n", "\n"], ["what?\n", "no\n"], ["\u{04}", "\u{04}"]])
    func nothingButAClearYesRemoves(answers: [String]) async throws {
        try await withLaptop { laptop, folder in
            let before = try StoreContents(of: laptop.store)
            let questions = ["first? [Y/n]", "? [y/N]"]
            let (status, text) = try await remove(on: laptop, in: folder, answering: Array(zip(questions, answers)))
            #expect(status == .exited(5), "\(text)")
            #expect(text.contains("Nothing was removed"), "\(text)")
            #expect(try StoreContents(of: laptop.store) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func anOptionAnswersTheFirstQuestion() async throws {
        try await withLaptop { laptop, folder in
            let (refused, _) = try await remove(
                on: laptop,
                in: folder,
                ["--with-routes"],
                answering: [("Remove it for good, with its \(Self.items)? [y/N]", "n\n")]
            )
            #expect(refused == .exited(5))
            let (status, text) = try await remove(
                on: laptop,
                in: folder,
                ["--export", "mine.gpx"],
                answering: [("Remove it for good? [y/N]", "y\n")]
            )
            #expect(status == .exited(0), "\(text)")
            #expect(!text.contains("first?"), "\(text)")
            try await expectEverything(in: folder + "/mine.gpx")
        }
    }

    @Test func whatComesWhileThePersonIsAskedIsNotRemoved() async throws {
        try await withLaptop { laptop, folder in
            let arguments = ["-C", folder, Place.program, "remove", Example.name, "--with-routes"]
            let (status, text) = try await laptop.inTerminal(running: "/usr/bin/env", arguments) { screen in
                try await screen.wait(for: "? [y/N] ")
                let gpx = #"<gpx version="1.1" creator="t"><wpt lat="42.58" lon="1.45"><name>New</name></wpt></gpx>"#
                try Data(gpx.utf8).write(to: URL(fileURLWithPath: folder + "/new.gpx"))
                try await laptop.must("import", folder + "/new.gpx")
                try screen.type("y\n")
                return try await screen.complete()
            }
            #expect(status == .exited(7), "\(text)")
            #expect(text.contains("changed in the meantime and was not removed"), "\(text)")
            #expect(try StoreContents(of: laptop.store).count("waypoint") == 47)
        }
    }

    @Test func withoutAQuestionSomebodyMustHaveSaidWhatBecomesOfTheRoutes() async throws {
        try await withLaptop { laptop, folder in
            let before = try StoreContents(of: laptop.store)
            let bare = try await laptop.run("remove", Example.name, "--yes")
            #expect(bare.code == 64, "\(bare)")
            let problem = try bare.problem()
            #expect(problem["code"]?.string == "usage")
            #expect(problem["message"]?.string?.contains(Self.items) == true, "\(problem)")
            for option in ["--export FILE", "--with-routes"] {
                #expect(problem["remedy"]?.string?.contains(option) == true, "\(problem)")
            }
            for arguments in [[], ["--with-routes"], ["--export", folder + "/a.gpx"]] {
                let command = ["remove", Example.name, "--format", "json"] + arguments
                let unasked = try await laptop.start(command) { await $0.ending() }
                #expect(unasked.code == 64, "\(unasked)")
                #expect(try unasked.problem()["code"]?.string == "noTerminal")
            }
            let both = try await laptop.tell("remove", Example.name, "--yes", "--with-routes", "--export", "a.gpx")
            #expect(both.code == 64, "\(both)")
            // The start of a name is not enough for what cannot be undone.
            let part = try await laptop.run("remove", "Coma", "--yes", "--with-routes")
            #expect(part.code == 3, "\(part)")
            try Data().write(to: URL(fileURLWithPath: folder + "/taken.gpx"))
            let taken = try await laptop.run("remove", Example.name, "--yes", "--export", folder + "/taken.gpx")
            #expect(taken.code == 7, "\(taken)")
            #expect(try StoreContents(of: laptop.store) == before)

            let removed = try await laptop.must("remove", Example.name, "--yes", "--export", folder + "/all.gpx")
            let line = try #require(try removed.lines("removed").first)
            #expect(line["exportedTo"]?.string == folder + "/all.gpx")
            #expect(line["waypoints"]?.int == 46)
            try await expectEverything(in: folder + "/all.gpx")
        }
    }

    /// What cannot be written is not removed before a person knows of it.
    @Test func whatCannotBeReadIsNotLostUnseen() async throws {
        try await withLaptop { laptop, folder in
            let queue = try DatabaseQueue(path: laptop.store + "/hikeshare.sqlite")
            try await queue.write { try $0.execute(sql: "UPDATE plannedRoute SET coordinates = '[1,2,3]'") }
            try queue.close()
            let before = try StoreContents(of: laptop.store)
            let file = folder + "/all.gpx"
            let unasked = try await laptop.run("remove", Example.name, "--yes", "--export", file)
            #expect(unasked.code == 7, "\(unasked)")
            let problem = try unasked.problem()
            #expect(problem["message"]?.string?.contains("cannot be read: the planned route “") == true, "\(problem)")
            #expect(try StoreContents(of: laptop.store) == before)
            #expect(!FileManager.default.fileExists(atPath: file))

            // At a terminal, the person sees the list before the question.
            let (refused, text) = try await remove(
                on: laptop,
                in: folder,
                ["--export", "mine.gpx"],
                answering: [("Remove it for good, with what cannot be read? [y/N]", "n\n")]
            )
            #expect(refused == .exited(5))
            #expect(text.contains("mine.gpx will lack what cannot be read: the planned route “"), "\(text)")
            #expect(try StoreContents(of: laptop.store) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)

            // The remedy helps.
            let remedy = try #require(problem["remedy"]?.string)
            let commands = remedy.matches(of: /'hikeshare ([^']*)'/).map {
                $0.output.1.split(separator: " ").map(String.init)
            }
            try #require(commands.count == 2, "\(remedy)")
            let export = commands[0].map { $0 == "DIR" ? folder + "/out" : $0 }
            let exported = try await laptop.start(export + ["--format", "json"]) { await $0.ending() }
            #expect(exported.code == 0, "\(exported)")
            #expect(try exported.lines("exported").first?["leftOut"]?.array.count == 1, "\(exported)")
            let removed = try await laptop.start(commands[1] + ["--yes", "--format", "json"]) { await $0.ending() }
            #expect(removed.code == 0, "\(removed)")
            #expect(try StoreContents(of: laptop.store).count("region") == 0)
        }
    }

    @Test func whoAgreesToLoseWhatCannotBeReadLosesIt() async throws {
        try await withLaptop { laptop, folder in
            let queue = try DatabaseQueue(path: laptop.store + "/hikeshare.sqlite")
            try await queue.write { try $0.execute(sql: "UPDATE plannedRoute SET coordinates = '[1,2,3]'") }
            try queue.close()
            // It is shown all the same, with the number by which it can be removed.
            let shown = try await laptop.tell("show", Example.name)
            #expect(shown.code == 0, "\(shown)")
            #expect(shown.output.contains { $0.hasPrefix("  2  ") }, "\(shown)")
            let (status, text) = try await remove(
                on: laptop,
                in: folder,
                ["--export", "mine.gpx"],
                answering: [("Remove it for good, with what cannot be read? [y/N]", "y\n")]
            )
            #expect(status == .exited(0), "\(text)")
            #expect(
                text.contains("Left out of the GPX file, because it cannot be read: the planned route “"),
                "\(text)"
            )
            #expect(try StoreContents(of: laptop.store).count("region") == 0)
            #expect(FileManager.default.fileExists(atPath: folder + "/mine.gpx"))
        }
    }

    @Test func photosDoNotGoUnsaid() async throws {
        try await withLaptop { laptop, folder in
            let photo = folder + "/photo.png"
            try Data(MapMaker.png + [UInt8](repeating: 7, count: 1000)).write(to: URL(fileURLWithPath: photo))
            let waypoint = try #require(
                try await laptop.must("show", Example.name).lines("waypoint").first?["id"]?.string
            )
            try await laptop.must("import", photo, "--waypoint", waypoint, "--region", Example.name)
            let before = try StoreContents(of: laptop.store)
            let bare = try await laptop.run("remove", Example.name, "--yes", "--export", folder + "/all.gpx")
            #expect(bare.code == 64, "\(bare)")
            #expect(try bare.problem()["message"]?.string?.contains("1 photo") == true, "\(bare)")
            let (status, text) = try await remove(
                on: laptop,
                in: folder,
                answering: [("first? [Y/n]", "\n"), ("Remove it for good, with its 1 photo? [y/N]", "n\n")]
            )
            #expect(status == .exited(5), "\(text)")
            #expect(try StoreContents(of: laptop.store) == before)
        }
    }

    @Test func aRegionWithoutRoutesNeedsAYesOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            for (seed, options) in [(1, []), (2, ["--export", directory.path("none.gpx")])] as [(UInt64, [String])] {
                try MapMaker.make(directory.path("\(seed).mbtiles"), seed: seed)
                try await laptop.must("import", directory.path("\(seed).mbtiles"))
                let removed = try await laptop.start(["remove", "Nordkette", "--yes", "--format", "json"] + options) {
                    await $0.ending()
                }
                #expect(removed.code == 0, "\(removed)")
                #expect(try removed.lines("removed").first?["exportedTo"] == nil)
            }
            #expect(!FileManager.default.fileExists(atPath: directory.path("none.gpx")))
        }
    }
}
