import Foundation
import PeerTestSupport
import Testing

/// What `import` does with several files, and with files of other areas.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ImportFilesTests {
    @Test func waypointsOfAnotherAreaNeedARegion() async throws {
        try await BadInputTests.withLaptop { laptop, directory in
            let text = #"<gpx version="1.1" creator="t"><wpt lat="10" lon="20"><name>Far</name></wpt></gpx>"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path("far.gpx")))
            let ending = try await laptop.run("import", directory.path("far.gpx"))
            #expect(ending.code == 2, "\(ending)")
            #expect(try ending.problem()["message"]?.string?.contains("outside all your maps") == true)
        }
    }

    @Test func aMapInTheSameCommandTakesNoWaypointsOfAnotherArea() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let text = #"<gpx version="1.1" creator="t"><wpt lat="10" lon="20"><name>Far</name></wpt></gpx>"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path("far.gpx")))
            let ending = try await laptop.run("import", Example.map, directory.path("far.gpx"))
            #expect(ending.code == 2, "\(ending)")
            #expect(try ending.problem()["message"]?.string?.contains("outside the area of") == true)
            #expect(try StoreContents(of: laptop.store).count("waypoint") == 0)
        }
    }

    @Test func aRegionThatIsNamedTakesItemsOfAnotherAreaWithAWarning() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let text = #"<gpx version="1.1" creator="t"><wpt lat="10" lon="20"><name>Far</name></wpt></gpx>"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path("far.gpx")))
            let ending = try await laptop.tell("import", directory.path("far.gpx"), "--region", Example.name)
            #expect(ending.code == 0, "\(ending)")
            #expect(
                ending.words.contains("hikeshare: warning: ") && ending.words.contains("outside the area"),
                "\(ending)"
            )
        }
    }

    @Test func eachFileIsTakenOrRefusedByItself() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            for name in ["a", "b"] {
                let text =
                    #"<gpx version="1.1" creator="t"><wpt lat="42.58" lon="1.45"><name>\#(name)</name></wpt></gpx>"#
                try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path(name + ".gpx")))
            }
            try Data("<gpx><wpt".utf8).write(to: URL(fileURLWithPath: directory.path("bad.gpx")))
            let paths = ["a.gpx", "bad.gpx", "none.gpx", "b.gpx"].map(directory.path)
            let ending = try await laptop.tell("import", paths[0], paths[1], paths[2], paths[3])
            #expect(ending.code == 2, "\(ending)")
            #expect(ending.words.contains("bad.gpx") && ending.words.contains("none.gpx"), "\(ending)")
            #expect(try StoreContents(of: laptop.store).count("waypoint") == 48)
        }
    }

    @Test func whatIsExportedAndImportedAgainChangesNothing() async throws {
        try await BadInputTests.withLaptop { laptop, directory in
            // The folder is made.
            let folder = directory.path("out")
            let exported = try await laptop.must("export", Example.name, "--to", folder, "--gpx")
            let file = try #require(exported.lines("exported").first?["file"]?.string)
            let line = try #require(try await laptop.must("import", file).lines("importedGPX").first)
            for kind in ["hikes", "plannedRoutes", "waypoints"] { #expect(line[kind]?["added"]?.int == 0, "\(line)") }
            #expect(line["waypoints"]?["unchanged"]?.int == 46)
        }
    }
}
