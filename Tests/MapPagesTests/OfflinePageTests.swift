import Foundation
import GRDB
import PeerTestSupport
import RegionStore
import Sentences
import Testing

@testable import MapPages

@Suite struct OfflinePageTests {
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

    /// A file tells of its own tiles, and of what it lacks.
    @Test(arguments: [(highest: 13, lacks: true), (15, false)])
    func aFileSaysWhatItHas(highest: Int, lacks: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let file = try OfflinePage(of: StoredRegionContent(example.id, in: example.store))
            var bytes: [UInt8] = []
            try file.write(file.selection(upToZoom: highest)) { bytes += $0 }
            let page = String(decoding: bytes, as: UTF8.self)
            let data = try block("region", in: page)
            let region = try #require(data["region"] as? [String: Any])
            #expect(try region["tileCount"] as? Int == block("tiles", in: page).count)
            let sentence = "Only up to zoom 13. For everything, take the map (MBTiles) into an app."
            let lack = data["lack"] as? [Any]
            #expect((lack?.first as? String == "{} For everything, take the map (MBTiles) into an app.") == lacks)
            #expect((lack?.last as? [AnyHashable] == ["Only up to zoom {}.", 13]) == lacks)
            #expect(page.components(separatedBy: "</noscript>")[0].contains(sentence) == lacks)
        }
    }

    @Test func whatAFileLacksIsASentence() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let file = try OfflinePage(of: StoredRegionContent(example.id, in: example.store))
            let place = try #require(Coordinate(latitude: 42.57, longitude: 1.45))
            var strip = CutRule(along: [[place]], maximumZoom: 15, wholeZoom: 13)
            let lack = file.lack(of: strip)?.english ?? ""
            #expect(lack.hasPrefix("In full detail along the hikes and routes; elsewhere up to zoom 13."))
            strip.maximumZoom = 14
            let less = file.lack(of: strip)?.english ?? ""
            #expect(less.hasPrefix("Up to zoom 14 along the hikes and routes; elsewhere up to zoom 13."))
            #expect(file.lack(of: file.selection(upToZoom: 15)) == nil)
        }
    }

    @Test func whatAPageCannotDrawIsKnown() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            #expect(try OfflinePage(of: StoredRegionContent(example.id, in: example.store)).drawsTiles)
            let path = directory.path("v.mbtiles")
            try MapCopies.makeOther(path)
            let id = try example.store.importMap(at: path).region.id
            #expect(!(try OfflinePage(of: StoredRegionContent(id, in: example.store)).drawsTiles))
        }
    }

    /// The length of a text with a byte that is 0 seems small, so a size could not be limited.
    @Test func tilesThatAreTextsAreLeftOut() async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            let path = directory.path("text.mbtiles")
            try FileManager.default.copyItem(atPath: ExampleSite.example("coma-pedrosa.mbtiles"), toPath: path)
            let queue = try DatabaseQueue(path: path)
            let text = Data([0x89, 0x50, 0x4E, 0x47, 0]) + Data(count: 100_000)
            try await queue.write {
                try $0.execute(
                    sql: "UPDATE tiles SET tile_data = CAST(? AS TEXT) WHERE tile_column % 2 = 0",
                    arguments: [text]
                )
            }
            try queue.close()
            example.id = try example.store.importMap(at: path, name: "Texts").region.id
            #expect(try write(example, upToZoom: 15).utf8.count < 10_000_000)
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
            let page = try write(example, upToZoom: 12)
            let waypoints = try #require(try block("region", in: page)["waypoints"] as? [[String: Any]])
            #expect(
                waypoints.compactMap { $0["photo"] as? String } == [
                    "data:image/jpeg;base64," + photo.base64EncodedString()
                ]
            )
        }
    }

    @Test func thereIsNoOtherPageToGoTo() {
        #expect(!OfflinePage.frame.start.contains("<nav") && OfflinePage.frame.start.contains("<noscript>"))
    }

    private func write(_ example: ExampleSite, upToZoom zoom: Int) throws -> String {
        let file = try OfflinePage(of: StoredRegionContent(example.id, in: example.store))
        return try write(file, file.selection(upToZoom: zoom))
    }

    private func write(_ file: OfflinePage, _ selection: CutRule) throws -> String {
        var bytes: [UInt8] = []
        try file.write(selection) { bytes += $0 }
        let (size, estimate) = (UInt64(bytes.count), file.size(of: selection))
        // The estimate decides whether there is a file, so it must not be much too small.
        #expect(estimate >= size && estimate < size + size / 10 + 150_000, "\(estimate) and \(size)")
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    @Test func hasEveryTileAndPhoto() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let waypoint = try #require(try example.store.waypoints(of: example.id).first)
            let photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1000))
            try photo.write(to: URL(fileURLWithPath: directory.path("photo.jpg")))
            try example.store.importPhoto(at: directory.path("photo.jpg"), for: waypoint.id, in: example.id)
            let page = try write(example, upToZoom: 15)
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

    @Test func withoutPersonalPartsItHasWhatThePageForPhonesHas() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let stored = StoredRegionContent(example.id, in: example.store)
            func text(of content: any RegionContent) throws -> String {
                var bytes: [UInt8] = []
                let file = try OfflinePage(of: content)
                try file.write(file.selection(upToZoom: file.zooms[0])) { bytes += $0 }
                return String(decoding: bytes, as: UTF8.self)
            }
            let (whole, rest) = (try text(of: stored), try text(of: stored.impersonal))
            let marks = ["Estany - Estany Forcat", #""startTime":"#]
            #expect(marks.allSatisfy(whole.contains) && !marks.contains(where: rest.contains))
        }
    }

    @Test func leavesOutHigherZooms() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let page = try write(example, upToZoom: 13)
            let tiles = try block("tiles", in: page).keys
            #expect(!tiles.isEmpty && tiles.allSatisfy { $0.hasPrefix("12/") || $0.hasPrefix("13/") })
            let region = try #require(try block("region", in: page)["region"] as? [String: Any])
            #expect(region["minimumZoom"] as? Int == 12 && region["maximumZoom"] as? Int == 13)
        }
    }

    /// All tiles have the highest zoom level that fits, or one less for a higher one along the routes.
    @Test func takesTheZoomsThatFit() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let file = try OfflinePage(of: StoredRegionContent(example.id, in: example.store))
            #expect(try file.usualSelection() == file.selection(upToZoom: 15))
            let whole = file.size(of: file.selection(upToZoom: 15))
            let smaller = try #require(file.bestSelection(within: whole - 1))
            #expect(smaller.wholeZoom ?? 0 >= 13 && smaller.maximumZoom == 15 && !smaller.lines.isEmpty)
            #expect(file.size(of: smaller) < whole)
            let least = file.size(of: file.selection(upToZoom: 12))
            #expect(file.bestSelection(within: least)?.wholeZoom == 12)
            #expect(file.bestSelection(within: 1000) == nil)
        }
    }

    @Test func withoutLinesThereIsNoStrip() async throws {
        try await TemporaryDirectory.with { directory in
            let map = try ExampleSite(in: directory, gpx: [])
            let file = try OfflinePage(of: StoredRegionContent(map.id, in: map.store))
            let limit = file.size(of: file.selection(upToZoom: 14))
            #expect(file.bestSelection(within: limit) == file.selection(upToZoom: 14))
            #expect(file.bestSelection(within: limit - 1) == file.selection(upToZoom: 13))
        }
    }

    @Test func thePageKnowsWhichTilesItHas() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let file = try OfflinePage(of: StoredRegionContent(example.id, in: example.store))
            let selection = try #require(file.bestSelection(within: file.size(of: file.selection(upToZoom: 15)) - 1))
            let page = try write(file, selection)
            let text = try #require(try block("region", in: page)["coverage"] as? String)
            let bytes = try #require(Data(base64Encoded: text))
            let coverage = try #require(Coverage(bytes: Array(bytes)))
            let tiles = try block("tiles", in: page).keys
            #expect(coverage.tileCount == tiles.count && coverage.zoomLevels == [12, 13, 14, 15])
            for address in tiles {
                let numbers = address.split(separator: "/").compactMap { Int($0) }
                let level = try #require(coverage.level(numbers[0]))
                #expect(level.contains(column: numbers[1], row: numbers[2]))
            }
        }
    }

    @Test func photosThatAreTooLargeAreLeftOutWithASentence() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let waypoint = try #require(try example.store.waypoints(of: example.id).first)
            let photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1000))
            try photo.write(to: URL(fileURLWithPath: directory.path("photo.jpg")))
            try example.store.importPhoto(at: directory.path("photo.jpg"), for: waypoint.id, in: example.id)
            var bytes: [UInt8] = []
            try example.store.withItems(of: example.id) { items in
                try RegionJSON(items, photos: .leftOut) { bytes += $0 }.write()
            }
            let data = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            let waypoints = try #require(data["waypoints"] as? [[String: Any]])
            #expect(waypoints.count == 46 && waypoints.allSatisfy { $0["photo"] == nil })
            #expect(data["leftOut"] as? [String] == ["The photos are too large for this page."])
        }
    }

    @Test func namesCannotEndTheirBlock() async throws {
        try await TemporaryDirectory.with { directory in
            let name = "</script><script>alert(1)</script><!--"
            let example = try ExampleSite(in: directory, gpx: [], name: name)
            let page = try write(example, upToZoom: 12)
            #expect(!page.contains("alert(1)</script>"))
            #expect((try block("region", in: page)["region"] as? [String: Any])?["name"] as? String == name)
        }
    }

    @Test func onlyItsOwnScriptsRun() {
        let start = OfflinePage.frame.start
        #expect(start.contains("default-src 'none'; script-src 'sha256-") && !start.contains("unsafe"))
        #expect(!start.contains("<script") && !OfflinePage.frame.end.contains("<!--"))
        // The end of a script element within a script would end it early.
        let scripts = OfflinePage.frame.end.components(separatedBy: "<script>").dropFirst()
        // The sentences of all languages come first.
        #expect(scripts.count == 1 + MapAssets.mapScripts.count)
        for script in scripts { #expect(script.components(separatedBy: "</script").count == 2) }
    }
}
