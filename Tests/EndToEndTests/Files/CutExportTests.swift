import Foundation
import GRDB
import PeerTestSupport
import Testing

/// The export of a part of a map.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct CutExportTests {
    private static let route = "Arinsal - Pic de Comapedrosa"

    /// The strip along a route has tiles of the map and no others, and is imported like any map.
    @Test func aStripIsWritten() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let folder = directory.path("out")
            let gpx = Place.example("arinsal-pic-de-comapedrosa.route.gpx")
            let line = try #require(
                try await laptop.must(
                    "export",
                    Example.name,
                    "--to",
                    folder,
                    "--mbtiles",
                    "--along",
                    gpx,
                    "--within",
                    "300m"
                ).lines("exported").first
            )
            let path = try #require(line["file"]?.string)
            #expect(path == folder + "/Coma-Pedrosa-part.mbtiles" && line["content"]?.string == "map")
            #expect(line["part"]?["within"]?.int == 300)
            let queue = try DatabaseQueue(path: path)
            let counts = try await queue.read { database in
                try database.execute(sql: "ATTACH ? AS map", arguments: [Example.map])
                let sql = """
                    SELECT (SELECT count(*) FROM main.tiles),
                    (SELECT count(*) FROM map.tiles JOIN main.tiles USING (zoom_level, tile_column, tile_row, tile_data)),
                    (SELECT count(*) FROM map.tiles)
                    """
                return try Row.fetchOne(database, sql: sql).map { row in (0..<3).map { row[$0] as Int } } ?? []
            }
            try queue.close()
            #expect(counts.count == 3 && counts[0] == counts[1] && (1..<counts[2]).contains(counts[0]), "\(counts)")
            #expect(line["tiles"]?.int == counts[0] && line["part"]?["tileCount"]?.int == counts[2])
            // The file does not say how large the whole map is, so nobody says it.
            let other = Laptop(store: directory.path("b"))
            let imported = try #require(
                try await other.must("import", path).lines("importedMap").first?["region"]?["part"]
            )
            #expect(imported["tileCount"]?.int == counts[2] && imported["fileSizeBytes"] == nil, "\(imported)")
            let shown = try await other.tell("show", "Coma").output.joined(separator: "\n")
            #expect(shown.contains("a part: \(counts[0]) of \(counts[2]) tiles\n"), "\(shown)")
        }
    }

    /// A route is named like an item, and a part can be cut by area and zoom and for OsmAnd.
    @Test func allOptionsWorkTogether() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let path = directory.path("map.sqlitedb")
            let line = try #require(
                try await laptop.must(
                    "export",
                    Example.name,
                    "--osmand",
                    path,
                    "--along",
                    "1",
                    "--area",
                    "1.3,42.5,1.5,42.7",
                    "--max-zoom",
                    "13"
                ).lines("exported").first
            )
            #expect(line["part"]?["maxZoom"]?.int == 13 && line["part"]?["area"]?["north"]?.double == 42.7)
            let queue = try DatabaseQueue(path: path)
            let zooms = try await queue.read { try Int.fetchAll($0, sql: "SELECT DISTINCT 17 - z FROM tiles") }
            try queue.close()
            #expect(!zooms.isEmpty && zooms.allSatisfy { $0 <= 13 })
        }
    }

    @Test func whatIsNotThereIsExplained() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let folder = directory.path("out")
            let unknown = try await laptop.run("export", Example.name, "--to", folder, "--along", "Everest")
            #expect(unknown.code == 3, "\(unknown)")
            #expect(try unknown.problem()["remedy"]?.string?.contains("hikeshare show") == true)
            let noFile = try await laptop.run("export", Example.name, "--to", folder, "--along", "none.gpx")
            #expect(try noFile.problem()["message"]?.string?.contains("none.gpx") == true, "\(noFile)")
            let elsewhere = try await laptop.run("export", Example.name, "--to", folder, "--area", "-10,1,-9,2")
            #expect(elsewhere.code == 64, "\(elsewhere)")
            #expect(try elsewhere.problem()["message"]?.string?.contains("no tiles in this part") == true)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }
}
