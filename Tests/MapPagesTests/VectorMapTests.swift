import Foundation
import GRDB
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages
@testable import WebServer

@Suite struct VectorMapTests {
    /// Without the download, only these tests would fail.
    @Test func mapLibreIsAPartOfTheProgram() throws {
        try #require(MapAssets.hasMapLibre, "Scripts/setup build downloads MapLibre")
        let script = try #require(MapAssets.all["maplibre.js"])
        #expect(script.bytes.count > 500_000)
        #expect(String(decoding: script.bytes.prefix(300), as: UTF8.self).contains("MapLibre GL JS"))
        let licence = try #require(MapAssets.all["maplibre-licence.txt"])
        #expect(String(decoding: licence.bytes, as: UTF8.self).contains("MapLibre contributors"))
    }

    @Test func onlyMapsWithVectorTilesLoadIt() async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            let image = try example.get("\(example.id.uuidString)/")
            #expect(!String(decoding: image.body, as: UTF8.self).contains("maplibre.js"))
            #expect(image.contentSecurityPolicy == nil)
            try MapCopies.makeVector(directory.path("v.mbtiles"))
            example.id = try example.store.importMap(at: directory.path("v.mbtiles")).region.id
            let vector = try example.get("\(example.id.uuidString)/")
            let page = String(decoding: vector.body, as: UTF8.self)
            // Leaflet, what draws vector tiles, and then the map.
            let files = page.components(separatedBy: "assets/").dropFirst().compactMap {
                $0.split(separator: "\"").first
            }
            let names = files.filter { $0.hasSuffix(".js") }.prefix { !$0.hasPrefix("window") }
            #expect(names.prefix(3) == ["leaflet.js", "maplibre.js", "vector-schemas.js"] && names.last == "map.js")
            #expect(vector.contentSecurityPolicy == MapSite.contentSecurityPolicy + "; worker-src blob:")
        }
    }

    @Test func vectorTilesAreServedAsTheyAre() async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            let path = directory.path("v.mbtiles")
            try MapCopies.makeVector(path)
            let queue = try DatabaseQueue(path: path)
            let places = try await queue.write { database in
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM tiles ORDER BY rowid LIMIT 4")
                let contents = ["1F8B0801", "789C0102", "1A0101", "89504E470D0A1A0A"]
                for (row, content) in zip(rows, contents) {
                    try database.execute(
                        sql: """
                            UPDATE tiles SET tile_data = x'\(content)'
                            WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
                            """,
                        arguments: [row["zoom_level"], row["tile_column"], row["tile_row"]]
                    )
                }
                return rows.map { row in
                    let zoom: Int = row["zoom_level"]
                    return "\(zoom)/\(row["tile_column"] as Int)/\((1 << zoom) - 1 - (row["tile_row"] as Int))"
                }
            }
            try queue.close()
            example.id = try example.store.importMap(at: path).region.id
            let answers = try places.map { try example.get("\(example.id.uuidString)/tiles/\($0)") }
            #expect(answers.map(\.encoding) == ["gzip", "deflate", nil, nil])
            #expect(answers.prefix(3).allSatisfy { $0.contentType == "application/vnd.mapbox-vector-tile" })
            #expect(answers[0].body == [0x1F, 0x8B, 0x08, 0x01] && answers[2].body == [0x1A, 0x01, 0x01])
            // An image is no vector tile, and a gap is none.
            #expect(answers[3].status == .noContent)
            #expect(try example.get("\(example.id.uuidString)/tiles/15/0/0").status == .noContent)
        }
    }

    @Test func aFileHasTheTilesAndWhatDrawsThem() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            try MapCopies.makeVector(directory.path("v.mbtiles"))
            let id = try example.store.importMap(at: directory.path("v.mbtiles")).region.id
            let file = try OfflinePage(of: StoredRegionContent(id, in: example.store))
            #expect(file.drawsTiles)
            // Only scripts draw vector tiles, so there is no picture.
            #expect(file.picture(upToZoom: 15) == nil)
            var bytes: [UInt8] = []
            try file.write(file.selection(upToZoom: 15)) { bytes += $0 }
            #expect(file.size(of: file.selection(upToZoom: 15)) >= bytes.count)
            let page = String(decoding: bytes, as: UTF8.self)
            #expect(page.contains("worker-src blob:") && page.contains("maplibre.org"))
            #expect(page.components(separatedBy: #""type":"pbf","data":"H4sI"#).count == 121)
            let image = OfflinePage.frame.start
            #expect(!image.contains("worker-src") && !image.contains("maplibre.org"))
            // The end of a script element within a script would end it early.
            for script in OfflinePage.vectorFrame.end.components(separatedBy: "<script>").dropFirst() {
                #expect(script.components(separatedBy: "</script").count == 2)
            }
        }
    }
}
