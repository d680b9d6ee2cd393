import Foundation
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing
import TrackFiles

/// GPX files that are damaged, hostile or too large.
@Suite struct BadGPXTests {
    @Test func linesThatAreTooLongToBeSentAreDivided() throws {
        let points = (0..<100_001).map { "<trkpt lat='42.\(100_000 + $0)' lon='1'/>" }.joined()
        let route = points.replacingOccurrences(of: "trkpt", with: "rtept")
        let track = points.replacingOccurrences(of: "/>", with: "><time>2025-06-20T08:00:00Z</time></trkpt>")
        let document = try GPXReaderTests.read(
            "<gpx><rte>\(route)</rte><trk><name>Far</name><trkseg>\(track)</trkseg></trk></gpx>"
        )
        #expect(document.savedRoutes.map(\.name) == ["Far (1)", "Far (2)"])
        let tracks = try document.savedRoutes.map { try TrackCodec.decode($0.trackData, startTime: nil) }
        #expect(tracks.map(\.count) == [100_000, 2])
        #expect(tracks[0].last?.coordinate == tracks[1].first?.coordinate)
        #expect(document.plannedRoutes.map(\.coordinates.count) == [25_000, 25_000, 25_000, 25_000, 5])
        #expect(Set(document.savedRoutes.map(\.id)).count == 2)
    }

    @Test func tablesThatAreTooLongAreNamed() throws {
        // Each point is on the other side of the Earth, a century later or earlier, so no table is shorter.
        func points(_ element: String, _ count: Int) -> String {
            (0..<count).map { index in
                let isEven = index % 2 == 0
                return """
                    <\(element) lat='\(isEven ? 89 : -89).\(1_000_000 + index)' lon='\(isEven ? 179 : -179).\(1_000_000 + index)'>\
                    <ele>\(isEven ? 99_000 : -11_000)</ele><time>\(isEven ? "0002" : "2019")-01-01T00:00:00Z</time>\
                    <extensions><hr>\(index % 200)</hr></extensions></\(element)>
                    """
            }.joined()
        }
        let track = "<trk><trkseg>\(points("trkpt", 100_000))</trkseg></trk>"
        let document = try GPXReaderTests.read("<gpx>\(track)</gpx>")
        #expect(document.savedRoutes.map(\.supplement.track) == [nil])
        #expect(document.savedRoutes.first?.supplement.sensors != nil)
        #expect(document.leftOut == ["exact points and segments of 1 track with too much data"])

        let usual = try GPXReaderTests.read("<gpx><trk><trkseg>\(points("trkpt", 100))</trkseg></trk></gpx>")
        #expect(usual.savedRoutes.first?.supplement.track != nil)
        #expect(usual.leftOut == [])
    }

    @Test(arguments: ["<wpt lat='1' lon='2'/>", "<trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk>"])
    func moreItemsThanCanBeSentAreRefused(item: String) throws {
        func file(_ count: Int) -> String { "<gpx>" + String(repeating: item, count: count) + "</gpx>" }
        let error = #expect(throws: RegionStoreError.self) { try GPXReaderTests.read(file(100_001)) }
        #expect(error?.message.contains("more than 100,000 ") == true, "\(error?.message ?? "")")
    }

    @Test func moreContentThanMemoryIsRefused() throws {
        // All that is kept of a text is 100,000 bytes of it.
        let place = "<wpt lat='1' lon='2'><desc>\(String(repeating: "x", count: 1 << 20))</desc></wpt>"
        #expect(try GPXReaderTests.read("<gpx>" + String(repeating: place, count: 33) + "</gpx>").waypoints.count == 33)
        var reader = TrackFileReader()
        reader.limits.heldLength = 32 * 100_000
        let error = #expect(throws: RegionStoreError.self) {
            try reader.read(Data(("<gpx>" + String(repeating: place, count: 33) + "</gpx>").utf8))
        }
        #expect(error?.message == "The file has too much content to be imported at once.")
        #expect(error?.remedy?.hasPrefix("Divide it into several files") == true)
    }

    @Test(arguments: [
        ("links", "<wpt lat='1' lon='2'>" + String(repeating: "<link href='a'/>", count: 20) + "</wpt>", 1),
        (
            "sensors",
            "<trk><trkseg><trkpt lat='1' lon='2'><time>2025-06-20T08:00:00Z</time><extensions><hr>1</hr><cad>2</cad>"
                + "<atemp>3</atemp><speed>4</speed></extensions></trkpt></trkseg></trk>", 1
        ),
        ("points", "<rte>" + String(repeating: "<rtept lat='1' lon='2'/>", count: 100) + "</rte>", 100),
    ])
    func theMemoryOfItemsIsCounted(name: String, item: String, points: Int) throws {
        var reader = TrackFileReader()
        reader.limits.heldLength = 1 << 20
        func file(_ count: Int) -> Data { Data(("<gpx>" + String(repeating: item, count: count) + "</gpx>").utf8) }
        #expect(throws: Never.self) { try reader.read(file(100)) }
        #expect(throws: RegionStoreError.self) { try reader.read(file(10_000)) }
    }

    @Test(arguments: [
        (
            "<gpx><wpt lon='2'/></gpx>",
            "The file has no waypoints, routes or tracks, only: 1 point without a valid position."
        ),
        ("<gpx/>", "The file has no waypoints, routes or tracks."),
        (
            "<gpx><trk><trkseg/></trk><rte/><trkpt lat='1' lon='2'/></gpx>",
            "The file has no waypoints, routes or tracks, only: 2 tracks or routes without points, 1 empty track segment, "
        ),
        ("", "The file is empty."), (" ", "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file."),
        ("PK\u{3}\u{4}", "The ZIP or KMZ file is damaged or not complete."),
        ("{\"a\":1}", "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file."),
        ("<?xml version='1.0'?>", "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file."),
        ("<kml><wpt lat='1' lon='2'/></kml>", "The file has no waypoints, routes or tracks, only: wpt."),
        ("<k:kml/>", "The file has no waypoints, routes or tracks."),
        ("<TrainingCenterDatabase/>", "The file has no waypoints, routes or tracks."),
        ("<!DOCTYPE html>\n<html></html>", "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file: it is a web page."),
        ("<html/>", "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file: it is a web page."),
        ("<svg/>", "This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file: it is another kind of XML."),
        ("\u{E}\u{10}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}.FIT", "This is not a complete FIT file: it ends early."),
        (
            "<gpx>\n<wpt lat='1' lon='2'>",
            "This is not a complete GPX file: it ends early, at line 2, column 22, before"
        ),
        ("<gpx>\n<wpt lat='1' lon='2'>\n</gpx>", "This is not a complete GPX file: the XML is wrong at line 3"),
    ])
    func saysWhatIsWrong(text: String, message: String) {
        let error = #expect(throws: RegionStoreError.self) { try GPXReaderTests.read(text) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(error?.remedy?.isEmpty == false)
    }

    @Test(arguments: [
        "lon='2'", "lat='1'", "lat='91' lon='2'", "lat='x' lon='2'", "lat='nan' lon='2'", "lat='1e999' lon='2'",
    ])
    func aPointWithoutAPositionIsLeftOut(attributes: String) throws {
        for element in ["rtept", "trkpt"] {
            let line = element == "rtept" ? ("<rte>", "</rte>") : ("<trk><trkseg>", "</trkseg></trk>")
            let points =
                "<\(element) lat='1' lon='2'/><\(element) \(attributes)><ele>9</ele><name>n</name></\(element)>"
            let document = try GPXReaderTests.read("<gpx>\(line.0)\(points)\(line.1)</gpx>")
            #expect(document.plannedRoutes.map(\.coordinates.count) == [1])
            #expect(document.leftOut == ["1 point without a valid position"])
        }
        let document = try GPXReaderTests.read(
            "<gpx><wpt \(attributes)><name>n</name></wpt><wpt lat='1' lon='2'/></gpx>"
        )
        #expect(document.waypoints.map(\.label) == [""])
        #expect(document.leftOut == ["1 point without a valid position"])
    }

    @Test func namesWhatItLeavesOut() throws {
        let names = (0..<30).map { "<x:e\($0)>1</x:e\($0)>" }.joined()
        let long = String(repeating: "n", count: 1001)
        let document = try GPXReaderTests.read(
            """
            <gpx xmlns:x="urn:x"><author>a</author><wpt lat='1' lon='2'><ele>1e30</ele><time>noon</time><name>\(long)</name>
            <magvar>1</magvar><extensions>\(names)<x:empty/></extensions></wpt></gpx>
            """
        )
        #expect(document.leftOut.contains("1 elevation that is not valid"))
        #expect(document.leftOut.contains("1 time that is not valid"))
        #expect(document.leftOut.contains("1 end of a text that is too long"))
        #expect(document.leftOut.contains("magvar") && document.leftOut.contains("11 other elements"))
        #expect(!document.leftOut.contains("x:empty"))
        #expect(document.leftOut.last == "the file's own author")
    }

    @Test func refusesEntitiesInEveryEncoding() throws {
        var bomb = "<?xml version=\"1.0\"?>\n<!-- a --><!DOCTYPE gpx [<!ENTITY a0 \"lol\">"
        for level in 1...30 {
            bomb += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        bomb += "]><gpx><wpt lat='1' lon='2'><name>&a30;</name></wpt></gpx>"
        let file =
            "<!DOCTYPE gpx [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><gpx><wpt lat='1' lon='2'><name>&f;</name></wpt></gpx>"
        for text in [bomb, file] {
            let utf16 = Data(text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
            for data in [Data(text.utf8), Data([0xFF, 0xFE]) + utf16, utf16] {
                let error = #expect(throws: RegionStoreError.self) { try TrackFileReader().read(data) }
                #expect(error?.message.contains("document type") == true)
            }
        }
    }

    @Test func boundsDepthSizeAndCounts() throws {
        let deep = "<gpx>" + String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200) + "</gpx>"
        let error = #expect(throws: RegionStoreError.self) { try GPXReaderTests.read(deep) }
        #expect(error?.message == "Line 1: the XML is nested too deeply for a GPX file.")
        var reader = TrackFileReader()
        reader.limits.pointCount = 2
        let two = "<gpx><wpt lat='1' lon='2'/><wpt lat='1' lon='2'/></gpx>"
        #expect(try reader.read(Data(two.utf8)).waypoints.count == 2)
        #expect(throws: RegionStoreError.self) {
            try reader.read(Data(two.replacingOccurrences(of: "</gpx>", with: "<wpt lat='1' lon='2'/></gpx>").utf8))
        }
        reader.limits.waypointCount = 1
        #expect(throws: RegionStoreError.self) { try reader.read(Data(two.utf8)) }
        reader.limits.fileSize = 1_999_999
        let large = #expect(throws: RegionStoreError.self) { try reader.read(Data(count: 2_000_000)) }
        #expect(large?.message == "The file is larger than 1 MB." && large?.remedy != nil)
    }

    @Test func readsAHundredThousandPoints() throws {
        var xml = "<gpx><trk><trkseg>"
        for index in 0..<100_000 {
            xml += "<trkpt lat=\"42.\(100_000 + index)\" lon=\"1.5\"><ele>1500.\(index % 10)</ele>"
            xml +=
                "<time>2025-06-\(10 + index / 10_000)T08:\(10 + index % 10_000 / 200):\(10 + index % 200 / 4)Z</time></trkpt>"
        }
        let document = try GPXReaderTests.read(xml + "</trkseg></trk></gpx>")
        let hike = try #require(document.savedRoutes.first)
        #expect(try TrackCodec.decode(hike.trackData, startTime: hike.startTime).count == 100_000)
    }

    @Test func readsFilesAndSaysWhichOneIsWrong() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("Sunday walk.gpx")
            try Data("<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>".utf8).write(
                to: URL(fileURLWithPath: path)
            )
            #expect(try TrackFileReader().read(contentsOf: path).plannedRoutes.map(\.name) == ["Sunday walk"])
            try Data("no".utf8).write(to: URL(fileURLWithPath: path))
            let wrong = #expect(throws: RegionStoreError.self) { try TrackFileReader().read(contentsOf: path) }
            #expect(wrong?.message.hasPrefix("\(path): This is not a GPX, KML, KMZ, GeoJSON, TCX or FIT file") == true)
            let missing = #expect(throws: RegionStoreError.self) { try TrackFileReader().read(contentsOf: path + "x") }
            #expect(missing?.code == .notFound)
            let folder = #expect(throws: RegionStoreError.self) {
                try TrackFileReader().read(contentsOf: directory.path)
            }
            #expect(folder?.code == .invalidFile)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func neverTrapsOnDamage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let originals = [
            Array(GPXReaderTests.full.utf8), GPXReaderTests.full.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
        ]
        let scraps = [
            "<", ">", "&", "<![CDATA[", "]]>", "<!--", "<?", "\"", "</trk>", "<gpx>", "lat=", "\0", "<e:", "e999", "-",
        ]
        for round in 0..<500 {
            var bytes = originals[round % 4 == 3 ? 1 : 0]
            for _ in 0...Int.random(in: 0...5, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1:
                    bytes.insert(
                        contentsOf: scraps[Int.random(in: 0..<scraps.count, using: &generator)].utf8,
                        at: index
                    )
                case 2:
                    bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &generator)))
                default: bytes.removeLast(round % 10 == 0 ? bytes.count - index - 1 : 0)
                }
                if bytes.isEmpty { bytes = [0x3C] }
            }
            do {
                let document = try TrackFileReader(now: GPXReaderTests.now).read(Data(bytes), named: "fuzz")
                for hike in document.savedRoutes {
                    #expect(throws: Never.self) { try TrackCodec.decode(hike.trackData, startTime: hike.startTime) }
                }
                #expect(GPXStructure.faults(in: try GPXWriter.data(document)) == [])
            } catch {
                #expect((error as? RegionStoreError)?.code == .invalidFile, "seed \(seed), round \(round): \(error)")
            }
        }
    }
}
