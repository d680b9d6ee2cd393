import Foundation
import GRDB
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

    private static func gpx(_ name: String, in directory: TemporaryDirectory) throws -> String {
        let text = #"<gpx version="1.1" creator="t"><wpt lat="42.58" lon="1.45"><name>\#(name)</name></wpt></gpx>"#
        let path = directory.path(name + ".gpx")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func photo(_ name: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path(name + ".jpg")
        try Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(name.utf8)).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// A photo without a waypoint, and files that are none, stop neither the map nor the hikes, and each is mentioned.
    @Test func aPhotoStopsNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let (hut, lake) = (try Self.photo("hut", in: directory), try Self.photo("lake", in: directory))
            let fake = directory.path("fake.jpg")
            try Data("no photo".utf8).write(to: URL(fileURLWithPath: fake))
            let gpx = try Self.gpx("new", in: directory)
            let ending = try await laptop.tell("import", hut, fake, Example.map, gpx, lake)
            #expect(ending.code == 2, "\(ending)")
            for name in ["hut.jpg", "fake.jpg", "lake.jpg"] { #expect(ending.words.contains(name), "\(ending)") }
            #expect(ending.words.contains("--waypoint"), "\(ending)")
            let contents = try StoreContents(of: laptop.store)
            #expect(contents.count("region") == 1 && contents.count("waypoint") == 1)
            // What was left out can be imported as the sentence says.
            try await laptop.must("import", hut, "--waypoint", "new")
        }
    }

    /// A folder has everything that belongs to a region, and everything finds its place.
    @Test func aFolderIsImportedWhole() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let folder = directory.path("maps")
            try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
            for (path, name) in [(Example.map, "a.mbtiles"), (Example.routing, "a.routing.db")] {
                try FileManager.default.copyItem(atPath: path, toPath: folder + "/" + name)
            }
            let text =
                #"<gpx version="1.1" creator="t"><wpt lat="42.58" lon="1.45"><name>Font Freda</name></wpt></gpx>"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/w.gpx"))
            for (name, byte) in [("Font-freda.jpg", 1), ("beach.jpg", 2)] {
                try Data([0xFF, 0xD8, 0xFF, 0xE0, UInt8(byte)]).write(
                    to: URL(fileURLWithPath: folder + "/photos/" + name)
                )
            }
            try Data("notes".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
            let ending = try await laptop.tell("import", folder)
            #expect(ending.code == 0, "\(ending)")
            #expect(ending.output.contains("To \(Example.name): routing"), "\(ending)")
            #expect(ending.output.contains { $0.contains("Font-freda.jpg as the photo of “Font Freda”") }, "\(ending)")
            for words in ["beach.jpg", "notes.txt", "hikeshare map \(Example.name)", "hikeshare send"] {
                #expect(ending.words.contains(words), "\(ending)")
            }
            // As a shell writes `*`: a photo of nothing, and a file that cannot be imported, keep nothing else away.
            let star = ["photos/beach.jpg", "notes.txt", "w.gpx"].map { folder + "/" + $0 }
            let mixed = try await laptop.run("import", star[0], star[1], star[2])
            #expect(mixed.code == 2, "\(mixed)")
            let left = try mixed.lines("leftOut")
            #expect(left.map { $0["file"]?.string } == [star[0]] && left[0]["reason"]?.string == "shows no waypoint")
            let told = try await laptop.tell("import", star[0], star[1], star[2])
            #expect(told.words.contains("Left out: \(star[0]) (shows no waypoint)"), "\(told)")
            #expect(told.words.contains("Not imported: 1 file, for the reasons above."), "\(told)")
            let again = try await laptop.tell("import", folder + "/a.routing.db", folder + "/w.gpx")
            #expect(again.output.count { $0.hasPrefix("Nothing new in ") } == 2, "\(again)")
        }
    }

    @Test func onlyPhotosMakeNoStore() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let ending = try await laptop.run("import", try Self.photo("hut", in: directory))
            #expect(ending.code == 3, "\(ending)")
            #expect(!FileManager.default.fileExists(atPath: laptop.store))
        }
    }

    /// Tiles with names that are not read are no photos.
    @Test(arguments: [true, false]) func aFolderThatIsAlmostOneOfTilesIsNamed(hasStore: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            if hasStore { try await Example.put(on: laptop) }
            let folder = directory.path("a/tiles/10/532")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for row in 300..<400 {
                try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(
                    to: URL(fileURLWithPath: "\(folder)/\(row)x.png")
                )
            }
            for path in [directory.path("a"), directory.path("a/tiles")] {
                let ending = try await laptop.tell("import", path)
                #expect(ending.code == 2 && ending.words.contains("looks like a folder of tiles"), "\(ending)")
                #expect(ending.words.contains("10/532/300x.png") && ending.words.count < 1000, "\(ending)")
            }
        }
    }

    @Test func mapsOfAFolderThatAreNotCompleteAreNamed() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let folder = directory.path("maps")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["a.map", "b.obf", "c.img"] {
                try Data("damaged".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
            }
            let nothing = try await laptop.tell("import", folder)
            #expect(nothing.code == 2, "\(nothing)")
            for words in ["a.map is not a complete Mapsforge map", "b.obf is not a complete map for OsmAnd", "c.img"] {
                #expect(nothing.words.contains(words), "\(nothing)")
            }
            try FileManager.default.copyItem(atPath: Example.map, toPath: folder + "/d.mbtiles")
            let some = try await laptop.tell("import", folder)
            #expect(some.code == 0 && some.words.contains("a.map (not a complete Mapsforge map)"), "\(some)")
        }
    }

    @Test func halfAFileGivesItsHalf() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let path = directory.path("half.gpx")
            let text = "<gpx><trk><trkseg><trkpt lat='42.58' lon='1.45'><ele>1</ele></trkpt><trkpt lat='42.59' lon='1."
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let ending = try await laptop.run("import", path)
            #expect(ending.code == 0, "\(ending)")
            #expect(try ending.lines("importedGPX").first?["damage"]?.string == "endsEarly", "\(ending)")
            let told = try await laptop.tell("import", path)
            #expect(told.words.contains("ends early, so what would follow is missing"), "\(told)")
        }
    }

    /// A file that is refused does not keep the options from being checked.
    @Test(arguments: ["--update", "--name", "--routing", "--waypoint", "--replace"])
    func everyCheckRunsBesideABadFile(option: String) async throws {
        try await BadInputTests.withLaptop { laptop, directory in
            try MapMaker.make(directory.path("new.mbtiles"), seed: 2)
            try MapMaker.make(directory.path("old.mbtiles"), seed: 3)
            let typo = directory.path("typo.gpx")
            let map = [directory.path("new.mbtiles"), directory.path("old.mbtiles"), typo]
            let (photo, gpx) = (try Self.photo("a", in: directory), try Self.gpx("w", in: directory))
            let photos = [photo, try Self.photo("b", in: directory), typo]
            let arguments =
                switch option {
                case "--update": map + [option, Example.name]
                case "--name": map + [option, "X"]
                case "--routing": [typo, gpx, option, Example.routing]
                case "--waypoint": photos + [option, "3", "--region", Example.name]
                default: [typo, gpx, option]
                }
            let ending = try await laptop.start(["import"] + arguments) { await $0.ending() }
            #expect(ending.code == 64, "\(ending)")
            #expect(ending.words.contains(option) && ending.words.contains("typo.gpx"), "\(ending)")
        }
    }

    /// One of two maps does not become the only one because the other cannot be read.
    @Test func aMisspeltMapCounts() async throws {
        try await BadInputTests.withLaptop { laptop, directory in
            try MapMaker.make(directory.path("new.mbtiles"), seed: 2)
            let (new, typo) = (directory.path("new.mbtiles"), directory.path("typo.mbtiles"))
            #expect(try await laptop.run("import", new, typo, "--name", "X").code == 64)
            #expect(try await laptop.run("import", typo, "--name", "X").code == 3)
            #expect(try await laptop.run("import", new, "--update", "Matterhorn").code == 3)
        }
    }

    /// A file that cannot be read because of this machine does not stop the others either.
    @Test func aLockedMapStopsNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            try MapMaker.make(directory.path("locked.mbtiles"), seed: 2)
            let gpx = try Self.gpx("new", in: directory)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let queue = try DatabaseQueue(path: directory.path("locked.mbtiles"), configuration: configuration)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
            let ending = try await laptop.tell("import", directory.path("locked.mbtiles"), gpx)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try queue.close()
            #expect(ending.code == 7 && ending.words.contains("locked by another program"), "\(ending)")
            #expect(ending.output.contains { $0.hasSuffix(": 1 waypoint") }, "\(ending)")
        }
    }

    @Test func aNameThatIsNotTakenIsTold() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let again = try await laptop.tell("import", Example.map, "--name", "Foo")
            #expect(again.code == 0 && again.output.contains { $0.contains("hikeshare rename") }, "\(again)")
            let same = try await laptop.tell("import", Example.map, "--name", Example.name)
            #expect(same.code == 0 && !same.output.contains { $0.contains("rename") }, "\(same)")
            #expect(try await laptop.must("list").lines("region").map { $0["name"]?.string } == [Example.name])
        }
    }

    @Test func oddMapsAreImportedWithAWarning() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let more = """
                INSERT INTO tiles VALUES (12, 2176, -48, x''); UPDATE tiles SET tile_data = NULL WHERE rowid = 3;
                DELETE FROM metadata WHERE name = 'bounds'; INSERT INTO metadata VALUES ('bounds', '1.4,42.5,1.5,42.6')
                """
            try MapMaker.make(directory.path("odd.mbtiles"), more: more)
            let ending = try await laptop.tell("import", directory.path("odd.mbtiles"))
            #expect(ending.code == 0, "\(ending)")
            let text = ending.output.joined(separator: "\n")
            for words in ["Warning: 1 row", "row -48", "Warning: 1 tile without data", "states another area"] {
                #expect(text.contains(words), "\(text)")
            }
            let line = try #require(
                try await laptop.must("import", directory.path("odd.mbtiles")).lines("importedMap").first
            )
            #expect(line["strayTiles"]?.int == 1 && line["emptyTiles"]?.int == 1)
            #expect(line["hasMisplacedBounds"]?.bool == true)
        }
    }

    @Test func aFolderOfTilesIsImportedAmongOtherFiles() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            let column = directory.path("files/Alps/1/0")
            try FileManager.default.createDirectory(atPath: column, withIntermediateDirectories: true)
            let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            try Data(image).write(to: URL(fileURLWithPath: column + "/0.png"))
            try Data("<html>".utf8).write(to: URL(fileURLWithPath: column + "/1.html"))
            let ending = try await laptop.tell("import", directory.path("files"))
            #expect(ending.code == 0, "\(ending)")
            let text = ending.output.joined(separator: "\n")
            for words in ["Imported Alps", "Warning: left out: 1 tile. The first: 1/0/1.html is no tile."] {
                #expect(text.contains(words), "\(text)")
            }
            let line = try #require(
                try await laptop.must("import", directory.path("files/Alps")).lines("importedMap").first
            )
            #expect(line["omittedEntries"]?.int == 1 && line["isNew"]?.bool == false)
        }
    }

    /// A map states a day, which is the same day everywhere.
    @Test(arguments: ["America/New_York", "UTC", "Pacific/Auckland"])
    func theDayOfAMapIsTheSameEverywhere(zone: String) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("m.mbtiles"), more: "INSERT INTO metadata VALUES ('date', '2026-06-01')")
            try await laptop.must("import", directory.path("m.mbtiles"))
            let shown = try await laptop.tell("show", "Nordkette", environment: ["TZ": zone])
            #expect(shown.output.contains { $0.contains("of 2026-06-01") }, "\(shown)")
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
