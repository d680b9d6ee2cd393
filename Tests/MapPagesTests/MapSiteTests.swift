import Foundation
import GRDB
import PeerTestSupport
import RegionStore
import Testing
import WebServer

@testable import MapPages

@Suite struct MapSiteTests {
    @Test func servesPagesAndTheirFiles() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            for path in ["", "\(example.id.uuidString)/"] {
                let page = try example.get(path)
                #expect(page.status == .ok && page.contentType == "text/html; charset=utf-8")
                let text = String(decoding: page.body, as: UTF8.self)
                // Every mark is replaced, and every file that the page names exists.
                #expect(!text.contains("<!--"))
                let names = text.components(separatedBy: "assets/").dropFirst().map { $0.prefix { $0 != "\"" } }
                #expect(names.count >= 4)
                for name in names { #expect(try example.get("assets/\(name)").status == .ok, "\(name)") }
                let data = try #require(text.firstMatch(of: /rel="preload" as="fetch" href="([a-z.]+)"/)).1
                #expect(try example.get(path + data).status == .ok, "\(data)")
            }
            #expect(try example.get("assets/leaflet.js").contentType == "text/javascript; charset=utf-8")
            #expect(try example.get("assets/leaflet.css").contentType == "text/css; charset=utf-8")
            let list =
                try JSONSerialization.jsonObject(with: Data(try example.get("regions.json").body)) as? [String: Any]
            let regions = try #require(list?["regions"] as? [[String: Any]])
            #expect(regions.map { $0["name"] as? String } == ["Coma Pedrosa"])
            #expect(regions.first?["id"] as? String == example.id.uuidString)
            // Regions of the same name are told apart by their dates, too.
            #expect((regions.first?["addedAt"] as? String)?.hasSuffix("Z") == true)
            #expect((try example.json()["region"] as? [String: Any])?["addedAt"] == nil)
        }
    }

    @Test func addressesWithoutTheirSlashAreRedirected() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let answer = try example.get(example.id.uuidString)
            #expect(answer.status == .movedPermanently)
            #expect(answer.location == "/\(example.secret.text)/\(example.id.uuidString)/")
        }
    }

    @Test func withoutTheSecretThereIsNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let (site, secret, id) = (example.site, example.secret.text, example.id.uuidString)
            let wrong = [
                "/", "/\(id)/", "/regions.json", "/assets/map.js", "/\(secret.dropLast())/", "/\(secret)0/",
                "/\(secret.uppercased())x/", "/\(String(secret.reversed()))/",
            ]
            for path in wrong {
                let answer = site.respond(to: WebRequest(try #require(WebPath(path))))
                #expect(answer.status == .notFound && answer.body == WebResponse.notFound.body, "\(path)")
            }
        }
    }

    @Test func otherPathsAreNotFound() async throws {
        let paths = [
            "x", "ID/x", "ID/x/y/z", "ID/region.json/x", "ID/tiles", "ID/tiles/12/1", "ID/tiles/12/-1/1",
            "ID/tiles/31/0/0",
            "ID/tiles/2/4/0", "ID/tiles/2/0/4", "ID/tiles/012/0/0", "ID/tiles/9999999999999999999999/0/0",
            "ID/tiles/2/0/0/0", "ID/photos/x", "ID/photos/ID", "assets/x", "assets/map.js/x", "OTHER/",
            "OTHER/region.json",
            "OTHER/tiles/2/0/0", "lower/", "assets/map.js/", "ID/region.json/", "regions.json/",
        ]
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let lower = example.id.uuidString.lowercased()
            for path in paths {
                let path = path.replacing("ID", with: example.id.uuidString).replacing("OTHER", with: UUID().uuidString)
                    .replacing("lower", with: lower)
                let answer = try example.get(path)
                #expect(answer.status == .notFound, "\(path)")
            }
        }
    }

    /// Rows count from the north in addresses and from the south in the file.
    @Test func servesEveryTileAsItIs() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let queue = try DatabaseQueue(path: ExampleSite.example("coma-pedrosa.mbtiles"))
            let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM tiles") }
            #expect(rows.count == 120)
            for row in rows {
                let (zoom, column): (Int, Int) = (row["zoom_level"], row["tile_column"])
                let northern = (1 << zoom) - 1 - (row["tile_row"] as Int)
                let answer = try example.get("\(example.id.uuidString)/tiles/\(zoom)/\(column)/\(northern)")
                #expect(answer.contentType == "image/png" && Data(answer.body) == row["tile_data"] as Data)
            }
            let gap = try example.get("\(example.id.uuidString)/tiles/15/0/0")
            #expect(gap.status == .ok && gap.contentType == "image/gif" && gap.body == MapSite.emptyTile.body)
        }
    }

    @Test(arguments: ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<html><script>alert(1)</script>", "GIF89a", ""])
    func aTileThatIsNoImageIsNotServed(content: String) async throws {
        try await TemporaryDirectory.with { directory in
            let copy = directory.path("map.mbtiles")
            try FileManager.default.copyItem(atPath: ExampleSite.example("coma-pedrosa.mbtiles"), toPath: copy)
            let queue = try DatabaseQueue(path: copy)
            let row = try queue.write { database in
                try database.execute(
                    sql: "UPDATE tiles SET tile_data = ? WHERE rowid = (SELECT min(rowid) FROM tiles)",
                    arguments: [Data(content.utf8)]
                )
                return try #require(try Row.fetchOne(database, sql: "SELECT * FROM tiles ORDER BY rowid LIMIT 1"))
            }
            try queue.close()
            let store = try RegionStore(path: directory.path("other"))
            let id = try store.importMap(at: copy).region.id
            let secret = MapSecret()
            let zoom: Int = row["zoom_level"]
            let northern = (1 << zoom) - 1 - (row["tile_row"] as Int)
            let path = "/\(secret.text)/\(id.uuidString)/tiles/\(zoom)/\(row["tile_column"] as Int)/\(northern)"
            let answer = MapSite(of: store, secret: secret).respond(to: WebRequest(try #require(WebPath(path))))
            #expect(answer.body == MapSite.emptyTile.body && answer.contentType == "image/gif")
        }
    }

    @Test func aShortPathLeadsToTheMap() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let (site, path) = (example.site, example.site.shortPath(of: example.id))
            #expect(path == "/\(example.secret.text)/\(example.id.uuidString.prefix(8))")
            let answer = site.respond(to: WebRequest(try #require(WebPath(path))))
            #expect(answer.location == site.path(of: example.id))
            for wrong in [String(path.dropLast()), path + "0", "/" + path.dropFirst(2)] {
                let answer = site.respond(to: WebRequest(try #require(WebPath(wrong))))
                #expect(answer.status == .notFound, "\(wrong)")
            }
        }
    }

    @Test func servesPhotosWithTheTypeOfTheirBytes() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let waypoint = try #require(try example.store.waypoints(of: example.id).first)
            // The name of the file says something else than its bytes.
            let bytes = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array("<svg><script>alert(1)</script></svg>".utf8))
            try bytes.write(to: URL(fileURLWithPath: directory.path("photo.svg")))
            try example.store.importPhoto(at: directory.path("photo.svg"), for: waypoint.id, in: example.id)
            let waypoints = try #require(try example.json()["waypoints"] as? [[String: Any]])
            let addresses = waypoints.compactMap { $0["photo"] as? String }
            #expect(addresses == ["photos/\(waypoint.id.uuidString)"])
            let answer = try example.get("\(example.id.uuidString)/\(addresses[0])")
            #expect(answer.contentType == "image/jpeg")
            #expect(try answer.content == bytes)
        }
    }

    @Test func theDataAreCompressedForBrowsersThatReadThat() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let plain = try example.get("\(example.id.uuidString)/region.json")
            let compressed = try example.get("\(example.id.uuidString)/region.json", takesGzip: true)
            #expect(plain.encoding == nil && compressed.encoding == "gzip")
            #expect(try compressed.content.starts(with: [0x1F, 0x8B]))
            #expect(compressed.file?.size ?? 0 < (plain.file?.size ?? 0) / 2)
        }
    }

    @Test func policyAllowsNothingFromElsewhere() {
        let policy = MapSite.contentSecurityPolicy
        #expect(policy.hasPrefix("default-src 'none'; "))
        for word in ["unsafe", "http", "*", "blob:"] { #expect(!policy.contains(word), "\(word)") }
    }
}
