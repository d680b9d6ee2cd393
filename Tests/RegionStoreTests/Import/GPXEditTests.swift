import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// Edits that another program makes in an exported GPX file.
@Suite struct GPXEditTests {
    private struct World {
        var store: RegionStore
        var region: UUID
        var directory: TemporaryDirectory

        func export() throws -> String {
            let path = directory.path(UUID().uuidString + ".gpx")
            try store.exportGPX(of: region, to: path)
            return try String(contentsOfFile: path, encoding: .utf8)
        }

        @discardableResult
        func `import`(_ text: String) throws -> GPXImport {
            let path = directory.path("import.gpx")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return try store.importGPX(at: path)
        }

        var waypoint: Waypoint { get throws { try #require(try store.waypoints(of: region).first) } }
        var route: PlannedRoute { get throws { try #require(try store.plannedRoutes(of: region).first) } }
        var hike: SavedRoute { get throws { try #require(try store.hikes(of: region).first) } }
    }

    private static let file = """
        <gpx xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="47.2" lon="11.4"><ele>1922</ele><time>2025-06-20T08:00:00Z</time><name>Hut</name><cmt>cold</cmt>
        <desc>closed in winter</desc><link href="https://example.org/hut"/><sym>Lodge</sym></wpt>
        <rte><name>Up</name><desc>steep</desc><rtept lat="47.2" lon="11.4"><ele>1000</ele><name>Bridge</name></rtept>
        <rtept lat="47.21" lon="11.41"><ele>1200</ele></rtept></rte>
        <trk><name>Walk</name><trkseg>
        <trkpt lat="0" lon="0"><time>2025-06-20T07:59:00Z</time></trkpt>
        <trkpt lat="47.2" lon="11.4"><ele>1000</ele><time>2025-06-20T08:00:00Z</time><extensions><hr>120</hr></extensions></trkpt>
        <trkpt lat="47.21" lon="11.4"><ele>1100</ele><time>2025-06-20T08:20:00Z</time></trkpt>
        <trkpt lat="47.22" lon="11.4"><ele>1200</ele><time>2025-06-20T08:40:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    private func withWorld(_ content: String = file, _ body: (World) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let world = World(store: store, region: region.id, directory: directory)
            try world.import(content)
            try body(world)
        }
    }

    private func stripped(_ text: String) -> String { text.replacing(/<hikeshare:[^>]*>/, with: "") }

    private func unchanged(_ imported: GPXImport) -> [Int] {
        [imported.waypoints.unchanged, imported.plannedRoutes.unchanged, imported.hikes.unchanged]
    }

    /// A file that ends in the middle of a track or route that the store has whole.
    @Test func theBeginningOfALineIsNoEdit() async throws {
        try await withWorld { world in
            let (route, hike) = (try world.route, try world.hike)
            let file = try world.export()
            for element in ["trkpt", "rtept"] {
                let last = try #require(file.range(of: "<" + element, options: .backwards))
                let cut = String(file[..<last.upperBound]).replacing(">Walk<", with: ">Long walk<")
                let imported = try world.import(cut)
                #expect(imported.damage == .endsEarly)
                #expect((element == "trkpt" ? imported.hikes : imported.plannedRoutes).keptLocal == 1, "\(element)")
                #expect(try world.route == route && world.hike == hike, "\(element)")
            }
        }
    }

    @Test func anEditInAnotherProgramIsAnEdit() async throws {
        try await withWorld { world in
            let before = (waypoint: try world.waypoint, route: try world.route, hike: try world.hike)
            let edited = try world.export()
                .replacing("closed in winter", with: "open all year").replacing(">Hut<", with: ">Upper hut<")
                .replacing("<wpt lat=\"47.2\"", with: "<wpt lat=\"47.201\"").replacing(
                    "<ele>1922</ele>",
                    with: "<ele>1950</ele>"
                )
                .replacing("<sym>Lodge</sym>", with: "<sym>Summit</sym>").replacing(">Up<", with: ">Up there<")
                .replacing(">Bridge<", with: ">Old bridge<").replacing(">Walk<", with: ">Long walk<")
            let imported = try world.import(edited)
            #expect([imported.waypoints, imported.plannedRoutes, imported.hikes].map(\.updated) == [1, 1, 1])
            let (waypoint, route, hike) = (try world.waypoint, try world.route, try world.hike)
            #expect(waypoint.label == "Upper hut" && waypoint.note == "open all year\ncold")
            #expect(waypoint.coordinate.latitude == 47.201 && waypoint.elevation == 1950)
            #expect(waypoint.category == .viewpoint)
            #expect(route.name == "Up there" && hike.name == "Long walk")
            #expect(route.supplement.pointTexts?.first?.name == "Old bridge")
            for (id, old) in [
                (waypoint.id, before.waypoint.id), (route.id, before.route.id), (hike.id, before.hike.id),
            ] {
                #expect(id == old)
            }
            // They are edits of now, so they go to other machines.
            for date in [waypoint.modifiedAt, route.modifiedAt, hike.modifiedAt] {
                #expect(abs(try #require(date).timeIntervalSinceNow) < 300)
            }
            // Once more changes nothing, and neither does what was exported before.
            #expect(unchanged(try world.import(edited)) == [1, 1, 1])
            #expect(try world.waypoint == waypoint)
            #expect(unchanged(try world.import(try world.export())) == [1, 1, 1])
        }
    }

    @Test func anEditedLineTakesItsValuesAlong() async throws {
        try await withWorld { world in
            #expect(try world.hike.totalDistance > 5_000_000)
            let text = try world.export()
            // The point at 0, 0 is deleted, as the report says.
            let point = try #require(text.firstMatch(of: /<trkpt lat="0" lon="0">.*<\/trkpt>\n/)?.output)
            let end = try #require(text.firstMatch(of: /<rtept lat="47.21" lon="11.41">/)?.output)
            let edited = text.replacing(point, with: "")
                .replacing(end, with: "<rtept lat=\"47.205\" lon=\"11.405\"></rtept>\n" + end)
            let imported = try world.import(edited)
            #expect(imported.hikes.updated == 1 && imported.plannedRoutes.updated == 1)
            #expect(imported.waypoints.unchanged == 1)
            let hike = try world.hike
            #expect(try hike.track().points.count == 3)
            #expect(abs(hike.totalDistance - 2224) < 2 && hike.elevationGain == 200)
            #expect(hike.start.latitude == 47.2 && hike.endTime.timeIntervalSince(hike.startTime) == 2400)
            #expect(try hike.track().sensors[.heartRate]?[0] == 120_000)
            let route = try world.route
            #expect(route.coordinates.map(\.latitude) == [47.2, 47.205, 47.21])
            #expect(route.supplement.pointTexts?.map(\.name) == ["Bridge"])
        }
    }

    @Test func whatAProgramDropsOrRoundsIsNoEdit() async throws {
        let content = Self.file.replacing("47.2\"", with: "47.2000004321\"").replacing("<ele>1000", with: "<ele>1000.4")
            .replacing("08:20:00Z", with: "08:20:00.375Z")
        try await withWorld(content) { world in
            let before = (try world.waypoint, try world.route, try world.hike)
            let text = try world.export()
            #expect(text.contains("47.2000004") && text.contains("1000.4") && text.contains("00.375Z"))
            let rounded = text.replacing("47.2000004", with: "47.2").replacing("1000.4", with: "1000").replacing(
                "00.375Z",
                with: "00Z"
            )
            .replacing(/<(sym|cmt|link|type)[^>]*>[^<]*(<\/(sym|cmt|link|type)>)?/, with: "").replacing(
                "</link>",
                with: ""
            )
            .replacing(/<extensions><gpxtpx.*?<\/extensions>/, with: "")
            #expect(!rounded.contains("cold") && !rounded.contains("example.org") && !rounded.contains("gpxtpx:hr"))
            #expect(unchanged(try world.import(rounded)) == [1, 1, 1])
            #expect(try (world.waypoint, world.route, world.hike) == before)
        }
    }

    @Test func anItemThatWasEditedSinceStays() async throws {
        try await withWorld { world in
            let exported = try world.export()
            let item = try #require(try world.store.items(.waypoint, of: world.region).first)
            try world.store.rename(item, of: world.region, to: "Mine")
            let mine = try world.waypoint
            let imported = try world.import(exported.replacing("closed in winter", with: "open"))
            #expect(imported.waypoints.keptLocal == 1)
            #expect(try world.waypoint == mine)
            // The remedy of the report.
            let again = try #require(try world.store.items(.waypoint, of: world.region).first)
            try world.store.remove(again, of: world.region)
            #expect(try world.import(exported.replacing("closed in winter", with: "open")).waypoints.added == 1)
            #expect(try world.waypoint.note == "open\ncold")
        }
    }

    @Test func aNewerEditOfAnotherStoreWins() async throws {
        try await withWorld { world in
            let item = try #require(try world.store.items(.waypoint, of: world.region).first)
            try world.store.rename(item, of: world.region, to: "Mine")
            let modified = try #require(try world.waypoint.modifiedAt)
            let later = try #require(Timestamp.text(modified + 60, milliseconds: false))
            let text = try world.export().replacing(/modified="[^"]*"/, with: "modified=\"\(later)\"")
            let imported = try world.import(text.replacing(">Mine<", with: ">Theirs<"))
            #expect(imported.waypoints.updated == 1)
            #expect(try world.waypoint.label == "Theirs")
            #expect(try world.waypoint.modifiedAt == modified + 60)
        }
    }

    /// Times are stored and sent in whole seconds, so an edit must count as later in whole seconds.
    @Test func anEditWithinTheSameSecondCountsAsLater() async throws {
        try await withWorld { world in
            let item = try #require(try world.store.items(.waypoint, of: world.region).first)
            try world.store.rename(item, of: world.region, to: "Mine")
            let modified = try #require(try world.waypoint.modifiedAt)
            let same = try #require(Timestamp.text(modified + 0.5, milliseconds: true))
            let text = try world.export().replacing(/modified="[^"]*"/, with: "modified=\"\(same)\"")
            #expect(try world.import(text.replacing(">Mine<", with: ">Theirs<")).waypoints.updated == 1)
            #expect(try world.waypoint.label == "Theirs")
            #expect(try #require(try world.waypoint.modifiedAt) >= modified + 1)
        }
    }

    @Test func withoutIDsTextsAreFilledIn() async throws {
        let bare = Self.file.replacing(/<(desc|cmt|sym)>[^<]*<\/(desc|cmt|sym)>/, with: "").replacing(
            /<link [^>]*>/,
            with: ""
        )
        .replacing("<name>Bridge</name>", with: "").replacing(/<extensions>.*<\/extensions>/, with: "")
        try await withWorld(bare) { world in
            #expect(try world.waypoint.note == "" && world.hike.supplement.sensors == nil)
            // An edit here does not keep texts away that are missing.
            let item = try #require(try world.store.items(.waypoint, of: world.region).first)
            try world.store.rename(item, of: world.region, to: "Hut!")
            let other = try #require(try world.store.items(.waypoint, of: world.region).first)
            try world.store.rename(other, of: world.region, to: "Hut")
            let imported = try world.import(Self.file)
            #expect([imported.waypoints, imported.plannedRoutes, imported.hikes].map(\.updated) == [1, 1, 1])
            #expect(try world.waypoint.note == "closed in winter\ncold")
            #expect(try world.waypoint.supplement.words?.links.map(\.address) == ["https://example.org/hut"])
            #expect(try world.route.supplement.words?.description == "steep")
            #expect(try world.route.supplement.pointTexts?.map(\.name) == ["Bridge"])
            #expect(try world.hike.track().sensors[.heartRate]?[1] == 120_000)
            #expect(try world.hike.averageHeartRate == 120)
            #expect(unchanged(try world.import(Self.file)) == [1, 1, 1])
            let counts = try (world.store.waypoints(of: world.region).count, world.store.hikes(of: world.region).count)
            #expect(counts == (1, 1))
        }
    }

    @Test func identicalItemsOfAFileStaySeparate() async throws {
        func twin(_ note: String) -> String { "<wpt lat='47.2' lon='11.4'><name>Twin</name><desc>\(note)</desc></wpt>" }
        let content = "<gpx xmlns='http://www.topografix.com/GPX/1/1'>\(twin("one"))\(twin("two"))</gpx>"
        try await withWorld(content) { world in
            let before = try world.store.waypoints(of: world.region)
            #expect(before.count == 2)
            for text in [
                content, stripped(try world.export()),
                content.replacing(twin("one") + twin("two"), with: twin("two") + twin("one")),
            ] {
                #expect(try world.import(text).waypoints.unchanged == 2)
                #expect(try world.store.waypoints(of: world.region) == before)
            }
        }
    }

    @Test(arguments: [(180.0, -180.0), (-180.0, 180.0)])
    func theMeridianOf180DegreesIsOne(own: Double, file: Double) async throws {
        func xml(_ longitude: Double) -> String {
            "<gpx><wpt lat='47.2' lon='\(longitude)'><name>Pole</name></wpt></gpx>"
        }
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let reader = TrackFileReader(now: Items.time)
            try store.importGPX(try reader.read(Data(xml(own).utf8), named: "file"), into: region.id)
            let again = try store.importGPX(try reader.read(Data(xml(file).utf8), named: "file"), into: region.id)
            #expect(again.waypoints.unchanged == 1 && again.waypoints.added == 0)
        }
    }

    @Test func anItemThatCannotBeReadDoesNotStopTheOthers() async throws {
        try await withWorld { world in
            try world.store.database.write { try $0.execute(sql: "UPDATE plannedRoute SET coordinates = '[1,2,3]'") }
            let imported = try world.import(Self.file.replacing("closed in winter", with: "open"))
            #expect(imported.plannedRoutes.keptLocal == 1)
            #expect(imported.waypoints.updated == 1)
        }
    }

    @Test func fingerprintsAreComputedOnce() async throws {
        func file(_ range: Range<Int>) -> String {
            let tracks = range.map { index in
                """
                <trk><name>Morning hike</name><trkseg><trkpt lat="47.2" lon="11.4"><time>2025-06-20T08:00:0\(index)Z</time></trkpt>\
                </trkseg></trk>
                """
            }
            return "<gpx>\(tracks.joined())</gpx>"
        }
        try await withWorld(file(0..<3)) { world in
            func missing() throws -> Int? {
                try world.store.database.read {
                    try Int.fetchOne($0, sql: "SELECT count(*) FROM hike WHERE fingerprint IS NULL")
                }
            }
            #expect(try missing() == 3)
            // Only the new ones are without one afterwards.
            #expect(try world.import(file(2..<5)).hikes.added == 2)
            #expect(try missing() == 2)
            #expect(try world.import(file(0..<5)).hikes.unchanged == 5)
            #expect(try missing() == 0)
            let item = try #require(try world.store.items(.hike, of: world.region).first)
            try world.store.rename(item, of: world.region, to: "Evening hike")
            #expect(try missing() == 1)
            let plan = try world.store.database.read {
                try String.fetchAll(
                    $0,
                    sql: "EXPLAIN QUERY PLAN SELECT * FROM hike WHERE regionID = 'a' AND fingerprint = x'00'",
                    adapter: SuffixRowAdapter(fromIndex: 3)
                )
            }
            #expect(plan.first?.contains("hikeOnFingerprint") == true, "\(plan)")
        }
    }
}
