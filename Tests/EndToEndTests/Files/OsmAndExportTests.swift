import Foundation
import GRDB
import PeerTestSupport
import Testing

/// The export of a map for OsmAnd.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct OsmAndExportTests {
    @Test func theFileHasTheMap() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let path = directory.path("map.sqlitedb")
            let line = try #require(
                try await laptop.must("export", Example.name, "--osmand", path).lines("exported").first
            )
            #expect(line["content"]?.string == "osmand" && line["file"]?.string == path)
            #expect(line["size"]?.int == (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int))
            let queue = try DatabaseQueue(path: path)
            let counts = try await queue.read { database in
                try database.execute(sql: "ATTACH ? AS map", arguments: [Example.map])
                let sql = """
                    SELECT (SELECT count(*) FROM main.tiles), (SELECT count(*) FROM map.tiles),
                    (SELECT count(*) FROM map.tiles JOIN main.tiles ON x = tile_column AND z = 17 - zoom_level
                        AND y = (1 << zoom_level) - 1 - tile_row AND image = tile_data)
                    """
                return try Row.fetchOne(database, sql: sql).map { row in (0..<3).map { row[$0] as Int } } ?? []
            }
            try queue.close()
            #expect(counts.count == 3 && counts[0] > 0 && Set(counts).count == 1, "\(counts)")

            let again = try await laptop.run("export", Example.name, "--osmand", path)
            #expect(again.code == 7, "\(again)")
            #expect(try again.problem()["message"]?.string?.contains("already exists") == true)
        }
    }

    @Test(arguments: [("--osmand", "sqlitedb"), ("--html", "html")])
    func inAFolderTheFileIsCalledLikeTheRegion(option: String, ending: String) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let folder = directory.path("out")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try await laptop.must("export", Example.name, option, folder + "/")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count == 1 && names[0].hasSuffix("." + ending) && !names[0].hasPrefix("."), "\(names)")
            // A folder without the slash is one, too, and the file is there already.
            let again = try await laptop.run("export", Example.name, option, folder)
            #expect(again.code == 7, "\(again)")
            #expect(try again.problem()["message"]?.string?.contains("already exists") == true)
        }
    }

    @Test func vectorTilesAreRefusedWithAWayOut() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let map = directory.path("v.mbtiles")
            try MapMaker.make(
                map,
                more: "UPDATE metadata SET value = 'pbf' WHERE name = 'format'; UPDATE tiles SET tile_data = x'1F8B08'"
            )
            try await laptop.must("import", map)
            let path = directory.path("map.sqlitedb")
            let ending = try await laptop.run("export", "Nordkette", "--osmand", path)
            #expect(ending.code == 64 && !FileManager.default.fileExists(atPath: path), "\(ending)")
            #expect(try ending.problem()["message"]?.string?.contains("vector tiles") == true)
            #expect(try ending.problem()["remedy"]?.string?.contains("MBTiles") == true)
        }
    }
}
