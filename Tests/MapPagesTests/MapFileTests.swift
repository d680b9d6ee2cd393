import Foundation
import GRDB
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages

@Suite struct MapFileTests {
    /// The JSON of a block of data in a page.
    private func block(_ name: String, in page: String) throws -> [String: Any] {
        let blocks = try Self.blocks(name, in: page)
        // The time in which WebKit reads a block grows with the square of its size.
        #expect(blocks.allSatisfy { $0.utf8.count <= DataBlocks.maximumLength })
        let data = Data(blocks.joined().utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private static func blocks(_ name: String, in page: String) throws -> [String] {
        let parts = page.components(separatedBy: #"<script type="application/json" class="data-\#(name)">"#)
        return try parts.dropFirst().map { part in try #require(part.components(separatedBy: "</script>").first) }
    }

    @Test func blocksAreShortAndDoNotDivideCharacters() throws {
        var page: [UInt8] = []
        let blocks = DataBlocks("x") { page += $0 }
        let text = String(repeating: "ä€👣", count: 100_000)
        try blocks.append(Array(text.prefix(10).utf8))
        try blocks.append(Array(text.dropFirst(10).utf8))
        try blocks.finish()
        let made = try Self.blocks("x", in: try #require(String(validating: page, as: UTF8.self)))
        #expect(made.count == 14 && made.joined() == text)
        #expect(made.allSatisfy { $0.utf8.count <= DataBlocks.maximumLength })
    }

    @Test func whatAPageCannotDrawIsKnown() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            #expect(try MapFile(of: example.id, in: example.store).drawsTiles)
            let path = directory.path("v.mbtiles")
            try MapCopies.makeVector(path)
            let id = try example.store.importMap(at: path).region.id
            #expect(!(try MapFile(of: id, in: example.store).drawsTiles))
        }
    }

    @Test func aLargePhotoIsWhole() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let waypoint = try #require(try example.store.waypoints(of: example.id).first)
            var generator = SeededGenerator(seed: 4)
            let photo = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(generator.bytes(1_000_001))
            try photo.write(to: URL(fileURLWithPath: directory.path("photo.jpg")))
            try example.store.importPhoto(at: directory.path("photo.jpg"), for: waypoint.id, in: example.id)
            let page = try write(example, upToZoom: 12, in: directory)
            let waypoints = try #require(try block("region", in: page)["waypoints"] as? [[String: Any]])
            #expect(
                waypoints.compactMap { $0["photo"] as? String } == [
                    "data:image/jpeg;base64," + photo.base64EncodedString()
                ]
            )
        }
    }

    @Test func thereIsNoOtherPageToGoTo() {
        #expect(!MapFile.frame.start.contains("<nav") && MapFile.frame.start.contains("<noscript>"))
    }

    private func write(_ example: ExampleSite, upToZoom zoom: Int, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path("\(zoom).html")
        let file = try MapFile(of: example.id, in: example.store)
        let size = try file.write(to: path, upToZoom: zoom)
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(UInt64(page.utf8.count) == size)
        // The estimate decides whether there is a file, so it must not be much too small.
        let estimate = file.size(upToZoom: zoom)
        #expect(estimate >= size && estimate < size + size / 10 + 50_000, "\(estimate) and \(size)")
        return page
    }

    @Test func hasEveryTileAndPhoto() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let waypoint = try #require(try example.store.waypoints(of: example.id).first)
            let photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1000))
            try photo.write(to: URL(fileURLWithPath: directory.path("photo.jpg")))
            try example.store.importPhoto(at: directory.path("photo.jpg"), for: waypoint.id, in: example.id)
            let page = try write(example, upToZoom: 15, in: directory)
            let tiles = try block("tiles", in: page)
            let queue = try DatabaseQueue(path: ExampleSite.example("coma-pedrosa.mbtiles"))
            let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM tiles") }
            #expect(tiles.count == rows.count)
            for row in rows {
                let zoom: Int = row["zoom_level"]
                let address = "\(zoom)/\(row["tile_column"] as Int)/\((1 << zoom) - 1 - (row["tile_row"] as Int))"
                let tile = try #require(tiles[address] as? [String: String])
                #expect(tile["type"] == "png" && Data(base64Encoded: tile["data"] ?? "") == row["tile_data"] as Data)
            }
            let waypoints = try #require(try block("region", in: page)["waypoints"] as? [[String: Any]])
            let photos = waypoints.compactMap { $0["photo"] as? String }
            #expect(photos == ["data:image/jpeg;base64," + photo.base64EncodedString()])
            #expect(page.contains("Redistributions in binary form") && !page.contains("<!--DATA-->"))
        }
    }

    @Test func leavesOutHigherZooms() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let page = try write(example, upToZoom: 13, in: directory)
            let tiles = try block("tiles", in: page).keys
            #expect(!tiles.isEmpty && tiles.allSatisfy { $0.hasPrefix("12/") || $0.hasPrefix("13/") })
            let region = try #require(try block("region", in: page)["region"] as? [String: Any])
            #expect(region["minimumZoom"] as? Int == 12 && region["maximumZoom"] as? Int == 13)
        }
    }

    @Test func findsTheZoomThatFits() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let file = try MapFile(of: example.id, in: example.store)
            #expect(file.highestZoom() == 15)
            #expect(file.highestZoom(within: file.size(upToZoom: 14)) == 14)
            #expect(file.highestZoom(within: file.size(upToZoom: 14) - 1) == 13)
            #expect(file.highestZoom(within: 1000) == nil)
        }
    }

    @Test func overwritesNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let path = directory.path("a.html")
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            let file = try MapFile(of: example.id, in: example.store)
            let error = #expect(throws: RegionStoreError.self) { try file.write(to: path, upToZoom: 12) }
            #expect(error?.code == .conflict)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(Set(names) == ["a.html", "store"])
        }
    }

    @Test func namesCannotEndTheirBlock() async throws {
        try await TemporaryDirectory.with { directory in
            let name = "</script><script>alert(1)</script><!--"
            let example = try ExampleSite(in: directory, gpx: [], name: name)
            let page = try write(example, upToZoom: 12, in: directory)
            #expect(!page.contains("alert(1)</script>"))
            #expect((try block("region", in: page)["region"] as? [String: Any])?["name"] as? String == name)
        }
    }

    @Test func onlyItsOwnScriptsRun() {
        let start = MapFile.frame.start
        #expect(start.contains("default-src 'none'; script-src 'sha256-") && !start.contains("unsafe"))
        #expect(!start.contains("<script") && !MapFile.frame.end.contains("<!--"))
        // The end of a script element within a script would end it early.
        let scripts = MapFile.frame.end.components(separatedBy: "<script>").dropFirst()
        #expect(scripts.count == MapAssets.mapScripts.count)
        for script in scripts { #expect(script.components(separatedBy: "</script").count == 2) }
    }
}
