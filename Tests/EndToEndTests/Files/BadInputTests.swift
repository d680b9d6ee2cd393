import Foundation
import GRDB
import PeerTestSupport
import Testing

/// Files, regions and command lines that are not what they must be: the exit code, a sentence that helps, and the store
/// as it was before.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct BadInputTests {
    struct BadFile: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// What the sentence says, beside the name of the file.
        var words: [String]
        var name = "bad.mbtiles"
        var code: Int32 = 2
        var make: @Sendable (_ path: String) throws -> Void
    }

    private static let tiles =
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"

    static let files = [
        BadFile(testDescription: "not a database", words: ["is not a map", "GPX"]) { path in
            try Data("just words\n".utf8).write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "empty", words: ["empty"]) { path in
            try Data().write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "a folder", words: ["no maps, track files or photos"]) { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        },
        BadFile(testDescription: "missing", words: ["No such file", "name"], code: 3) { _ in },
        BadFile(testDescription: "truncated", words: ["cut off"]) { path in
            let whole = try Data(contentsOf: URL(fileURLWithPath: Example.map))
            try whole.prefix(1_000_000).write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "a page overwritten", words: ["damaged"]) { path in
            var whole = try Data(contentsOf: URL(fileURLWithPath: Example.map))
            for index in 8192..<16_384 { whole[index] = 0x55 }
            try whole.write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "no table tiles", words: ["no table or view", "tiles"]) { path in
            try MapMaker.database(path) { try $0.execute(sql: "CREATE TABLE pictures (x)") }
        },
        BadFile(testDescription: "no tiles in the table", words: ["no tiles"]) { path in
            try MapMaker.database(path) { try $0.execute(sql: BadInputTests.tiles) }
        },
        BadFile(testDescription: "only tiles outside of their zoom", words: ["zoom 12", "row 7656"]) { path in
            try MapMaker.make(path, more: "UPDATE tiles SET tile_row = tile_row + 5000")
        },
        BadFile(testDescription: "a map for OsmAnd without tiles", words: ["empty"]) { path in
            try MapMaker.database(path) { try $0.execute(sql: "CREATE TABLE tiles (x INT, y INT, z INT, image BLOB)") }
        },
        BadFile(testDescription: "a trigger", words: ["trigger"]) { path in
            try MapMaker.make(path, more: "CREATE TRIGGER t AFTER DELETE ON tiles BEGIN DELETE FROM metadata; END")
        },
        BadFile(testDescription: "a TIFF file", words: ["TIFF", "gdal_translate"]) { path in
            try Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]).write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "a page of hikeshare", words: ["page", ".mbtiles"]) { path in
            try Data("<!doctype html>\n<html lang=\"en\" data-ready=\"no\">".utf8).write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "GPX that is not XML", words: [], name: "bad.gpx") { path in
            try Data("<gpx><wpt lat=\"47\" lon=\"11\">".utf8).write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "GPX without points", words: [], name: "bad.gpx") { path in
            let text =
                #"<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"/>"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "XML that is not GPX", words: ["GPX"], name: "bad.gpx") { path in
            try Data("<html><body/></html>".utf8).write(to: URL(fileURLWithPath: path))
        },
        BadFile(testDescription: "GPX with a document type", words: [], name: "bad.gpx") { path in
            let text = #"<!DOCTYPE gpx [<!ENTITY a "b">]><gpx version="1.1"><wpt lat="47" lon="11"/></gpx>"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        },
    ]

    /// A laptop that has a region already, which must stay as it is.
    static func withLaptop(_ body: (Laptop, TemporaryDirectory) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let before = try StoreContents(of: laptop.store)
            try await body(laptop, directory)
            let after = try StoreContents(of: laptop.store)
            #expect(after == before, "\(before.differences(from: after))")
        }
    }

    @Test(arguments: files)
    func aBadFileIsRefusedInWords(file: BadFile) async throws {
        try await Self.withLaptop { laptop, directory in
            let path = directory.path(file.name)
            try file.make(path)
            let ending = try await laptop.tell("import", path)
            #expect(ending.code == file.code, "\(ending)")
            #expect(ending.output.isEmpty)
            #expect(ending.words.hasPrefix("hikeshare: "))
            #expect(ending.words.contains(file.name), "\(ending)")
            for word in file.words { #expect(ending.words.contains(word), "\(ending)") }
            let problem = try await laptop.run("import", path).problem()
            #expect(problem.type == "error")
            #expect(problem["exitCode"]?.int == Int(file.code))
        }
    }

    @Test func aMapOfTilesThatAreNoImagesIsImportedWithAWarning() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("n.mbtiles"), more: "UPDATE tiles SET tile_data = x'FFFFFFFF'")
            let ending = try await laptop.tell("import", directory.path("n.mbtiles"))
            #expect(ending.code == 0, "\(ending)")
            #expect(ending.output.contains { $0.hasPrefix("Warning: the first tiles are not") }, "\(ending)")
        }
    }

    @Test func aBadRoutingFileLeavesTheMapOutToo() async throws {
        try await Self.withLaptop { laptop, directory in
            try MapMaker.make(directory.path("n.mbtiles"))
            let noGraph = try await laptop.run("import", directory.path("n.mbtiles"), "--routing", Example.map)
            #expect(noGraph.code == 2, "\(noGraph)")
            let elsewhere = try await laptop.run("import", directory.path("n.mbtiles"), "--routing", Example.routing)
            #expect(elsewhere.code == 2, "\(elsewhere)")
        }
    }

    @Test func aNameThatIsNoTextIsAsGoodAsAnother() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let gpx = #"<gpx version="1.1" creator="t"><wpt lat="42.58" lon="1.45"><name>New</name></wpt></gpx>"#
            try Data(gpx.utf8).write(to: URL(fileURLWithPath: directory.path("new.gpx")))
            try MapMaker.make(directory.path("new.mbtiles"))
            // The shell makes the names: text has no way to say them.
            let script = """
                cd "$1" && a=$(printf 'h\\366he.gpx') && b=$(printf 'h\\344he.mbtiles')
                mv new.gpx "$a" && mv new.mbtiles "$b" && exec "$0" import "$a" "$b" --format json --region "$2"
                """
            let ending = try await ChildProcess.with(
                "/bin/sh",
                ["-c", script, Place.program, directory.path, Example.name],
                environment: ["HIKESHARE_STORE": laptop.store, "SWIFT_BACKTRACE": "enable=no"]
            ) { child in
                try await Laptop.impatiently(child) { await child.ending() }
            }
            #expect(ending.code == 0, "\(ending)")
            #expect(try ending.lines("importedGPX").first?["waypoints"]?["added"]?.int == 1, "\(ending)")
            #expect(try StoreContents(of: laptop.store).count("region") == 2)
        }
    }

    @Test func anExportIsWholeOrNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let file = try #require(try StoreContents(of: laptop.store).files.keys.first { $0.contains("routing") })
            try FileManager.default.removeItem(atPath: laptop.store + "/" + file)
            let folder = directory.path("out")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            for to in [folder, directory.path("made-in-vain")] {
                #expect(try await laptop.run("export", Example.name, "--to", to).code != 0)
                #expect((try? FileManager.default.contentsOfDirectory(atPath: to)) == (to == folder ? [] : nil))
            }
            // What is asked for by itself is there.
            try await laptop.must("export", Example.name, "--to", folder, "--gpx", "--mbtiles")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        }
    }

    @Test(arguments: [["show"], ["send", "--yes"], ["export", "--to", "/tmp"], ["remove", "--yes"]])
    func aRegionThatTwoShareIsNotGuessed(command: [String]) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            for seed in 1...2 {
                try MapMaker.make(directory.path("\(seed).mbtiles"), seed: UInt64(seed))
                try await laptop.must("import", directory.path("\(seed).mbtiles"))
            }
            let before = try StoreContents(of: laptop.store)
            let ids = try await laptop.must("list").lines("region").compactMap { $0["id"]?.string }
            #expect(ids.count == 2)
            let arguments = [command[0], "nordkette"] + command.dropFirst() + ["--format", "json"]
            let ending = try await laptop.start(arguments) { await $0.ending() }
            #expect(ending.code == 2, "\(ending)")
            let problem = try ending.problem()
            #expect(problem["code"]?.string == "ambiguous")
            for id in ids { #expect(ending.words.contains(id.prefix(8)), "\(ending)") }
            #expect(try StoreContents(of: laptop.store) == before)

            let clear = try await laptop.run("show", String(ids[0].prefix(8)).lowercased())
            #expect(clear.code == 0, "\(clear)")
        }
    }

    @Test(arguments: [["show"], ["send", "--yes"], ["export", "--to", "/tmp"], ["remove", "--yes"]])
    func aRegionThatIsNotThereIsNotFound(command: [String]) async throws {
        try await Self.withLaptop { laptop, _ in
            let arguments = [command[0], "Matterhorn"] + command.dropFirst()
            let ending = try await laptop.start(arguments) { await $0.ending() }
            #expect(ending.code == 3, "\(ending)")
            #expect(ending.words.contains("Matterhorn"))
        }
    }

    @Test func aPortInUseIsSaid() async throws {
        try await Self.withLaptop { laptop, _ in
            try await laptop.sendQuietly(Example.name) { running in
                let other = try await laptop.run(
                    "send",
                    Example.name,
                    "--yes",
                    "--no-discovery",
                    "--port",
                    "\(running.port)"
                )
                #expect(other.code == 1, "\(other)")
                let problem = try other.problem()
                #expect(problem["message"]?.string?.contains("Port \(running.port) is in use") == true)
                #expect(problem["remedy"]?.string?.contains("--port") == true)
            }
        }
    }

    @Test func aStoreThatCannotBeWrittenIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            // A file in the way stops root, too.
            try Data().write(to: URL(fileURLWithPath: directory.path("taken")))
            let laptop = Laptop(store: directory.path("taken/store"))
            for arguments in [["list"], ["import", Example.map], ["receive", "--yes"]] {
                let ending = try await laptop.start(arguments) { await $0.ending() }
                #expect(ending.code == 7, "\(ending)")
                #expect(ending.words.contains(directory.path("taken")), "\(ending)")
            }
            let proc = Laptop(store: "/proc/hikeshare")
            let ending = try await proc.tell("import", Example.map)
            #expect(ending.code == 7, "\(ending)")
        }
    }

    @Test func anExportOverwritesNothing() async throws {
        try await Self.withLaptop { laptop, directory in
            let folder = directory.path("out")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let path = try #require(
                try await laptop.must("export", Example.name, "--to", folder, "--gpx").lines.first?["file"]?.string
            )
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            let again = try await laptop.run("export", Example.name, "--to", folder)
            #expect(try again.code == 7 && again.problem()["message"]?.string?.contains("already exists") == true)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
            // A missing folder is created; a file in its place is left alone.
            try await laptop.must("export", Example.name, "--to", directory.path("new"))
            #expect(try !FileManager.default.contentsOfDirectory(atPath: directory.path("new")).isEmpty)
            let nowhere = try await laptop.run("export", Example.name, "--to", path)
            #expect(try nowhere.code != 0 && String(contentsOfFile: path, encoding: .utf8) == "mine", "\(nowhere)")
        }
    }
}
