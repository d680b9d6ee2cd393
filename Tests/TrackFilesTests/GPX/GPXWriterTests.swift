import Foundation
import NIOCore
import PeerStorage
import RegionModel
import RegionTestSupport
import Testing

@testable import TrackFiles

@Suite struct GPXWriterTests {
    private let now = Date(timeIntervalSince1970: 1_770_307_200)

    private func roundTrip(_ document: TrackDocument) throws -> TrackDocument {
        let data = try GPXWriter.data(document)
        #expect(GPXStructure.faults(in: data) == [])
        return try TrackFileReader(now: now).read(data, named: "file")
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let document = try GPXReaderTests.read(GPXReaderTests.full)
        var again = try roundTrip(document)
        #expect(again.name == document.name)
        #expect(again.waypoints.map(\.label) == document.waypoints.map(\.label))
        #expect(again.waypoints.map(\.note) == document.waypoints.map(\.note))
        #expect(again.waypoints.map(\.category) == document.waypoints.map(\.category))
        #expect(again.waypoints.map(\.coordinate) == document.waypoints.map(\.coordinate))
        #expect(again.waypoints.map(\.time) == document.waypoints.map(\.time))
        #expect(again.plannedRoutes.map(\.coordinates) == document.plannedRoutes.map(\.coordinates))
        #expect(again.plannedRoutes.map(\.elevationProfile) == document.plannedRoutes.map(\.elevationProfile))
        #expect(again.plannedRoutes.map(\.mode) == document.plannedRoutes.map(\.mode))
        #expect(again.savedRoutes.map(\.name) == document.savedRoutes.map(\.name))
        #expect(again.savedRoutes.map(\.comment) == document.savedRoutes.map(\.comment))
        #expect(again.savedRoutes.map(\.startTime) == document.savedRoutes.map(\.startTime))
        #expect(again.savedRoutes.map(\.elevationGain) == document.savedRoutes.map(\.elevationGain))

        // After one trip nothing changes any more, ids included.
        let first = again
        again = try roundTrip(again)
        #expect(try roundTrip(again).savedRoutes.map(\.id) == again.savedRoutes.map(\.id))
        #expect(again.waypoints == first.waypoints)
        #expect(again.plannedRoutes.map(\.id) == first.plannedRoutes.map(\.id))
    }

    @Test func writesTheGoldenForm() throws {
        let place = try #require(Coordinate(latitude: 0.00001, longitude: 180))
        let id = try #require(UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E"))
        let document = TrackDocument(
            waypoints: [
                Waypoint(id: id, coordinate: place, elevation: -0.25, time: now + 0.5, label: "<A> & \"'\u{7}")
            ]
        )
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="notes &amp; maps" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
            xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3" \
            xmlns:osmand="https://osmand.net" xmlns:hikeshare="urn:hikeshare:gpx:1" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
            <wpt lat="0.00001" lon="180">
            <ele>-0.25</ele>
            <time>2026-02-05T16:00:00.500Z</time>
            <name>&lt;A&gt; &amp; &quot;&apos;</name>
            <type>custom</type>
            <extensions>
            <hikeshare:waypoint id="0F8FAD5B-D9CB-469F-A165-70867728950E" category="custom"/>
            </extensions>
            </wpt>
            </gpx>

            """
        let written = try GPXWriter.data(document, creator: "notes & maps")
        #expect(String(decoding: written, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        "a\u{0}b\u{1F}c", "]]>", "<![CDATA[x", "&amp;", "\u{FFFE}\u{FFFF}", "🥾\u{202E}é", "a\r\nb\tc", "--><!--", "",
        "\u{7F}\u{80}\u{85}\u{9F}\u{A0}\u{2028}",
    ])
    func survivesEveryText(text: String) throws {
        let place = try #require(Coordinate(latitude: 1, longitude: 2))
        let waypoint = Waypoint(id: UUID(), coordinate: place, time: now, label: "x", note: "x" + text + "x")
        let hike = SavedRoute(
            id: UUID(),
            name: text,
            start: place,
            end: place,
            startTime: now,
            endTime: now + 1,
            totalDistance: 0,
            elevationGain: 0,
            elevationLoss: 0,
            walkingTime: 1,
            restingTime: 0,
            comment: text,
            trackData: Data()
        )
        let again = try roundTrip(TrackDocument(name: text, waypoints: [waypoint], savedRoutes: [hike]))
        let kept = text.unicodeScalars.filter {
            ($0.value >= 0x20 || "\t\n\r".unicodeScalars.contains($0)) && $0.value < 0xFFFE || $0.value > 0xFFFF
        }
        #expect(again.waypoints.first?.note == "x" + String(String.UnicodeScalarView(kept)) + "x")
        #expect(again.savedRoutes.first?.startTime == now)
    }

    @Test func writesElevationsAndTimesOnlyWhereKnown() throws {
        let hike = try GPXReaderTests.read(
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1.1' lon='2'/></trkseg></trk></gpx>"
        )
        let xml = String(decoding: try GPXWriter.data(hike), as: UTF8.self)
        #expect(!xml.contains("<ele>"))
        #expect(!xml.contains("<time>"))
        #expect(xml.contains(#"<trkpt lat="1.1" lon="2"></trkpt>"#))
    }

    @Test func aHikeWithoutTimesKeepsItsStart() throws {
        var hike = try Items.hike()
        hike.startTime = now - 1_000_000
        hike.endTime = hike.startTime + 7200
        let points = try [47.2, 47.3].map { TrackPoint(coordinate: try Items.coordinate($0)) }
        hike.trackData = try TrackCodec.encode(points, startTime: hike.startTime)
        let document = TrackDocument(savedRoutes: [hike])
        #expect(!String(decoding: try GPXWriter.data(document), as: UTF8.self).contains("<time>"))
        let again = try #require(try roundTrip(document).savedRoutes.first)
        #expect(again.id == hike.id)
        #expect(again.startTime == hike.startTime && again.endTime == hike.endTime)
        #expect(again.walkingTime == hike.walkingTime && again.restingTime == hike.restingTime)
        #expect(again.averageHeartRate == 121 && again.maximumHeartRate == 163 && again.estimatedCalories == 640)
        #expect(try again.track().points.map(\.time) == [nil, nil])
    }

    @Test func anEditedCommentReplacesTheTextsOfTheFile() throws {
        let document = try GPXReaderTests.read(GPXReaderTests.full)
        #expect(document.waypoints[0].supplement.words?.comment == "short")
        func texts(_ note: String) throws -> String {
            var edited = document
            edited.waypoints[0].note = note
            let xml = String(decoding: try GPXWriter.data(edited), as: UTF8.self)
            return xml.components(separatedBy: "més</name>\n")[1].components(separatedBy: "<sym>")[0]
        }
        #expect(try texts(document.waypoints[0].note) == "<cmt>short</cmt>\n<desc>&lt;b&gt;cold&lt;/b&gt;</desc>\n")
        #expect(try texts("warm\nshort") == "<cmt>short</cmt>\n<desc>warm</desc>\n")
        #expect(try texts("short") == "<cmt>short</cmt>\n")
        #expect(try texts("closed") == "<desc>closed</desc>\n")
        #expect(try texts("") == "")
    }

    @Test func aFileOfAnotherWriterWithOurExtensionKeepsIDs() throws {
        let id = UUID()
        for root in [#"xmlns:ns5="urn:hikeshare:gpx:1""#, ""] {
            let declaration = root.isEmpty ? #" xmlns:ns5="urn:hikeshare:gpx:1""# : ""
            let item =
                #"<extensions><ns5:waypoint\#(declaration) id="\#(id.uuidString)" category="danger"/></extensions>"#
            let document = try GPXReaderTests.read(
                "<gpx \(root)><wpt lat='1' lon='2'>\(item)</wpt><wpt lat='1' lon='2'>\(item)</wpt></gpx>"
            )
            #expect(document.waypoints[0].id == id)
            #expect(document.waypoints.map(\.category) == [.danger, .danger])
            // An id is used once.
            #expect(document.waypoints[1].id != id)
        }
        let foreign =
            #"<gpx><wpt lat="1" lon="2"><extensions><hikeshare:waypoint id="\#(id.uuidString)"/></extensions></wpt></gpx>"#
        #expect(try GPXReaderTests.read(foreign).waypoints[0].id != id)
    }

    @Test(arguments: [0, 2])
    func aPlannedRouteWithoutALineKeepsItsPlacesAndItsDate(count: Int) throws {
        var route = try Items.plannedRoute()
        route.createdAt = now - 1_000_000
        route.coordinates = []
        route.elevationProfile = nil
        route.viaPoints = try (0..<count).map { try Items.coordinate([47.202, 47.204][$0]) }
        let again = try #require(try roundTrip(TrackDocument(plannedRoutes: [route])).plannedRoutes.first)
        #expect(again.coordinates == [route.start] + route.viaPoints + [route.end])
        #expect(again.createdAt == route.createdAt)
    }

    @Test func namesTheHikeThatCannotBeWritten() throws {
        var document = try GPXReaderTests.read(GPXReaderTests.full)
        document.savedRoutes[0].trackData = Data([1, 2, 3])
        let error = #expect(throws: RegionStoreError.self) { try GPXWriter.data(document) }
        #expect(error?.message.hasPrefix("The hike Day 🥾 cannot be written") == true)
    }

    @Test(arguments: [180, -180, 179.999_999_9]) func thePositionStaysAtItsEdgeOfTheMap(longitude: Double) throws {
        let place = try #require(Coordinate(latitude: 1, longitude: longitude))
        let waypoint = Waypoint(id: UUID(), coordinate: place, time: now, label: "Edge")
        #expect(try roundTrip(TrackDocument(waypoints: [waypoint])).waypoints.map(\.coordinate) == [place])
    }

    /// What is written piece by piece.
    private final class Pieces: ByteOutput {
        private(set) var bytes: [UInt8] = []
        private(set) var longest = 0

        func write(_ buffers: [ByteBuffer], at offset: UInt64) {
            for buffer in buffers { write(Array(buffer.readableBytesView), at: offset) }
        }

        func write(_ piece: [UInt8], at offset: UInt64) {
            #expect(offset == UInt64(bytes.count))
            bytes += piece
            longest = max(longest, piece.count)
        }
    }

    /// A file may be larger than the memory, so no more than a piece of it is held.
    @Test func aLongHikeIsWrittenInPieces() throws {
        var hike = try Items.hike()
        hike.trackData = try Items.track(count: 20_000)
        let pieces = Pieces()
        var writer = GPXWriter(to: pieces, name: nil, creator: "t")
        try writer.write(hike)
        try writer.finish()
        #expect(pieces.bytes.count > 1_000_000)
        #expect(pieces.longest < 70_000)
        #expect(GPXStructure.faults(in: Data(pieces.bytes)) == [])
        #expect(Data(pieces.bytes) == (try GPXWriter.data(TrackDocument(savedRoutes: [hike]), creator: "t")))
    }

    @Test func withoutOurExtensionNothingTellsWhichItemItIs() throws {
        var document = try GPXReaderTests.read(GPXReaderTests.full)
        document.waypoints[0].modifiedAt = now
        let pieces = Pieces()
        var writer = GPXWriter(to: pieces, name: nil, creator: "t", isIdentifying: false)
        for waypoint in document.waypoints { try writer.write(waypoint) }
        for route in document.plannedRoutes { try writer.write(route) }
        for hike in document.savedRoutes { try writer.write(hike) }
        try writer.finish()
        let text = String(decoding: pieces.bytes, as: UTF8.self)
        #expect(GPXStructure.faults(in: Data(pieces.bytes)) == [])
        #expect(
            !text.contains("hikeshare") && !text.contains("modified") && !text.contains("<extensions>\n</extensions>")
        )
        let ids = document.waypoints.map(\.id) + document.plannedRoutes.map(\.id) + document.savedRoutes.map(\.id)
        #expect(!ids.isEmpty && ids.allSatisfy { !text.contains($0.uuidString) })
    }

    @Test func anEmptyDocumentIsValid() throws {
        #expect(GPXStructure.faults(in: try GPXWriter.data(TrackDocument())) == [])
    }

    @Test func theStructureCheckFindsFaults() {
        let head = #"<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">"#
        for wrong in [
            "<wpt lat='1' lon='2'><name>a</name><ele>1</ele></wpt>", "<wpt lat='1e-05' lon='2'/>",
            "<wpt lat='1' lon='180.1'/>",
            "<trk/><wpt lat='1' lon='2'/>", "<wpt lat='1' lon='2'><ele>1e5</ele></wpt>", "<rte><rtept/></rte>",
            "<rte><rtept lat='1' lon='2'/><name>x</name></rte>", "<wpt lat='1' lon='2'><time>now</time></wpt>", "<x/>",
        ] {
            #expect(GPXStructure.faults(in: Data((head + wrong + "</gpx>").utf8)) != [])
        }
    }

    @Test(arguments: [
        (0.0, 7, "0"), (-0.0, 7, "0"), (1e-5, 7, "0.00001"), (-1e-9, 7, "0"), (42.6, 7, "42.6"),
        (-179.9999999, 7, "-179.9999999"),
        (1e8, 3, "100000000"), (0.9996, 3, "1"), (1934.06, 1, "1934.1"),
    ])
    func numbersHaveNoExponent(value: Double, decimals: Int, text: String) {
        #expect(DecimalNumber.text(value, decimals: decimals) == text)
        #expect(DecimalNumber.text(.nan, decimals: decimals) == nil)
        #expect(DecimalNumber.text(1e300, decimals: decimals) == nil)
    }
}
