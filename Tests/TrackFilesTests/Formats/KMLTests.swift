import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// KML files, and the ZIP files that hold them.
@Suite struct KMLTests {
    /// What programs write: shared styles, folders, HTML, several geometries, and the tracks of Google's extension.
    static let full = """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document><name>Comapedrosa</name><open>1</open>
        <Style id="camp"><IconStyle><Icon><href>http://maps.google.com/mapfiles/kml/shapes/campground.png</href></Icon></IconStyle></Style>
        <Style id="pin"><IconStyle><Icon><href>http://maps.google.com/mapfiles/kml/pushpin/ylw-pushpin.png</href></Icon></IconStyle></Style>
        <StyleMap id="tent"><Pair><key>normal</key><styleUrl>#camp</styleUrl></Pair>
        <Pair><key>highlight</key><styleUrl>#pin</styleUrl></Pair></StyleMap>
        <Folder><name>Places</name>
        <Placemark><name>Refugi</name><styleUrl>#tent</styleUrl><TimeStamp><when>2024-07-01T10:00:00Z</when></TimeStamp>
        <description><![CDATA[<b>Warm</b> &amp; dry.<br/>Open <i>all</i> year<img src="x.jpg"/>]]></description>
        <Point><coordinates> 1.4437,42.5911,2260.5 </coordinates></Point></Placemark>
        <Placemark><name>Pin</name><styleUrl>#pin</styleUrl><address>Arinsal</address>
        <Point><coordinates>1.45,42.58,0</coordinates></Point></Placemark>
        <Placemark><name>Far</name><Point><altitudeMode>relativeToGround</altitudeMode>
        <coordinates>1.46,42.57,30</coordinates></Point></Placemark></Folder>
        <Placemark><name>Up</name><LineString><tessellate>1</tessellate><coordinates>
        1.44,42.57,1550 1.45,42.58,1700.25
        1.46 , 42.59 , 1900</coordinates></LineString></Placemark>
        <Placemark><MultiGeometry><LineString><coordinates>1.1,42.1 1.2,42.2</coordinates></LineString>
        <LineString><coordinates>1.3,42.3 1.4,42.4</coordinates></LineString>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,1 2,2</coordinates></LinearRing></outerBoundaryIs></Polygon>
        </MultiGeometry></Placemark>
        <Placemark><name>Walk</name><gx:MultiTrack><gx:Track>
        <when>2024-07-02T08:00:00Z</when><when>2024-07-02T08:01:00.5Z</when><when/>
        <gx:coord>1.5 42.5 1000</gx:coord><gx:coord>1.51 42.51 1010</gx:coord><gx:coord>1.52 42.52 1020</gx:coord>
        <ExtendedData><SchemaData schemaUrl="#s"><gx:SimpleArrayData name="heartrate">
        <gx:value>90</gx:value><gx:value/><gx:value>95</gx:value></gx:SimpleArrayData>
        <gx:SimpleArrayData name="power"><gx:value>1</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track>
        <gx:Track><when>2024-07-02T09:00:00Z</when><gx:coord>1.6 42.6 1100</gx:coord></gx:Track></gx:MultiTrack></Placemark>
        <NetworkLink><Link><href>http://example.com/x.kml</href></Link></NetworkLink>
        <GroundOverlay><name>Photo</name></GroundOverlay>
        </Document></kml>
        """

    static func read(_ text: String) throws(RegionStoreError) -> TrackDocument {
        try TrackFileReader(now: GPXReaderTests.now).read(Data(text.utf8), named: "file")
    }

    private static func placemark(_ content: String) -> String {
        "<kml><Placemark>\(content)</Placemark></kml>"
    }

    @Test func readsPointsLinesAndTracks() throws {
        let document = try Self.read(Self.full)
        #expect(document.name == "Comapedrosa")
        #expect(document.waypoints.map(\.label) == ["Refugi", "Pin", "Far"])
        #expect(document.waypoints.map(\.category) == [.campsite, .custom, .custom])
        #expect(document.waypoints.map(\.elevation) == [2260.5, nil, nil])
        #expect(document.waypoints[0].note == "Warm & dry.\nOpen all year")
        #expect(document.waypoints[0].time == Timestamp.date(parsing: "2024-07-01T10:00:00Z".utf8))
        #expect(document.waypoints[0].coordinate == Coordinate(latitude: 42.5911, longitude: 1.4437))
        #expect(document.plannedRoutes.map(\.name) == ["Up", "Track 1"])
        #expect(document.plannedRoutes[0].fileTrack.points.map(\.elevation) == [1550, 1700.25, 1900])
        #expect(document.plannedRoutes[0].coordinates.map(\.longitude) == [1.44, 1.45, 1.46])
        #expect(document.plannedRoutes[1].fileTrack.segments == [0..<2, 2..<4])
        let hike = try #require(document.savedRoutes.first)
        let track = try hike.fileTrack
        #expect(hike.name == "Walk" && track.segments == [0..<3, 3..<4])
        let times = ["2024-07-02T08:00:00Z", "2024-07-02T08:01:00.5Z", "", "2024-07-02T09:00:00Z"]
        #expect(track.points.map(\.time) == times.map { Timestamp.date(parsing: $0.utf8) })
        #expect(track.points.map(\.elevation) == [1000, 1010, 1020, 1100])
        #expect((0..<4).map { track.sensors[.heartRate]?[$0] } == [90_000, nil, 95_000, nil])
        #expect(
            document.leftOut == [
                "1 elevation above the ground", "GroundOverlay", "NetworkLink", "Polygon", "address",
                "picture of a description", "values of a track",
            ]
        )
    }

    @Test(arguments: [
        ("clamptoground", true), ("ClampToGround", true), ("absolute", true), ("clampToSeaFloor", true), ("new", true),
        ("relativeToGround", false), ("relativetoseafloor", false),
    ])
    func onlyElevationsAboveTheGroundAreLeftOut(mode: String, isKept: Bool) throws {
        let mode = "<altitudeMode>\(mode)</altitudeMode>"
        let document = try Self.read(
            Self.placemark(
                "<LineString>\(mode)<coordinates>1,2,300 1,3,0 1,4,310</coordinates></LineString>"
                    + "<Point><coordinates>1,2,300</coordinates>\(mode)</Point>"
                    + "<gx:Track>\(mode)<gx:coord>1 2 300</gx:coord><gx:coord>1 3 310</gx:coord></gx:Track>"
            )
        )
        let routes = document.plannedRoutes.map { $0.fileTrack.points.map(\.elevation) }
        #expect(routes == (isKept ? [[300, 0, 310], [300, 310]] : [[nil, nil, nil], [nil, nil]]))
        #expect(document.waypoints.map(\.elevation) == [isKept ? 300 : nil])
        #expect(document.leftOut == (isKept ? [] : ["5 elevations above the ground"]))
    }

    @Test func readingTwiceGivesTheSameItems() throws {
        let (one, other) = (try Self.read(Self.full), try Self.read(Self.full))
        #expect(one == other)
    }

    @Test func badPositionsCostThemselves() throws {
        let line = "<LineString><coordinates>1,2 x,3 4 5,99 nan,1 1e999,1 6,7,1e9 8,9</coordinates></LineString>"
        let document = try Self.read(Self.placemark(line))
        #expect(document.plannedRoutes.map { $0.coordinates.map(\.longitude) } == [[1, 6, 8]])
        #expect(document.leftOut == ["5 points without a valid position", "1 elevation that is not valid"])
    }

    @Test func anEmptyPositionOfATrackTakesItsTime() throws {
        let track = """
            <gx:Track><when>2024-01-01T00:00:00Z</when><when>2024-01-01T00:00:01Z</when><when>soon</when>
            <gx:coord>1 2 3</gx:coord><gx:coord/><gx:coord>3 4 5</gx:coord><gx:coord>5 6 7</gx:coord></gx:Track>
            """
        let document = try Self.read(Self.placemark(track))
        let points = try #require(document.savedRoutes.first).fileTrack.points
        #expect(
            points.map(\.coordinate.longitude) == [1, 3, 5] && points.map { $0.time != nil } == [true, false, false]
        )
        #expect(document.leftOut == ["1 point without a valid position", "1 time that is not valid"])
    }

    @Test func idsOfStylesMayHaveSpaces() throws {
        let document = try Self.read(
            """
            <kml><Document><Style id="my camp"><IconStyle><Icon><href>a/campground.png</href></Icon></IconStyle></Style>
            <Placemark><styleUrl>#my camp</styleUrl><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>
            """
        )
        #expect(document.waypoints.map(\.category) == [.campsite])
    }

    @Test func whatHasNoPlaceIsCounted() throws {
        let document = try Self.read(
            """
            <kml><Document><atom:link href="http://example.com"/><Snippet/><Placemark><name>A</name><Snippet>S</Snippet></Placemark>
            <Placemark><Point><coordinates/></Point></Placemark><Placemark><Polygon/></Placemark>
            <Placemark><Point><coordinates>x,1</coordinates></Point></Placemark>
            <Placemark><gx:Track><when>2024-01-01T00:00:00Z</when><when>2024-01-01T00:00:01Z</when>
            <when>2024-01-01T00:00:02Z</when><when/><when>2024-01-01T00:00:03Z</when>
            <gx:coord>1 2</gx:coord><gx:coord>3 4</gx:coord></gx:Track></Placemark></Document></kml>
            """
        )
        #expect(try document.savedRoutes.first?.fileTrack.points.count == 2)
        #expect(
            document.leftOut == [
                "1 point without a valid position", "Placemark without a geometry (2 times)",
                "time without a position (2 times)", "Polygon", "Snippet", "link",
            ]
        )
    }

    /// With spaces anywhere, or commas between the positions.
    @Test(arguments: ["1,2,3 4,5,6 7,8", "1 ,2 ,3\n,4, 5, 6\n,7,8", "1,2,3,\n4,5,6,\n7,8", "1\n,2\n,3 4,5,6 7\n,8"])
    func positionsMayHaveSpacesAndCommas(positions: String) throws {
        let line = "<LineString><coordinates>\(positions)</coordinates></LineString>"
        let document = try Self.read(Self.placemark(line))
        #expect(document.plannedRoutes.first?.coordinates.map(\.longitude) == [1, 4, 7])
        #expect(document.plannedRoutes.first?.fileTrack.points.map(\.elevation) == [3, 6, nil])
        #expect(document.leftOut.isEmpty)
    }

    @Test func linesWithoutPositionsAreCounted() throws {
        let document = try Self.read(
            Self.placemark("<Point><coordinates>1,2</coordinates></Point><LineString/><gx:Track/>")
        )
        #expect(document.waypoints.count == 1 && document.leftOut == ["2 tracks or routes without points"])
    }

    @Test func readsAnyPrefixAndEncoding() throws {
        let text =
            "<k:kml xmlns:k='http://earth.google.com/kml/2.0'><k:Placemark><k:name>é</k:name><k:Point><k:coordinates>1,2"
            + "</k:coordinates></k:Point></k:Placemark></k:kml>"
        let utf16 = Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        for data in [Data(text.utf8), utf16] {
            #expect(try TrackFileReader().read(data).waypoints.map(\.label) == ["é"])
        }
    }

    @Test(arguments: [
        ("plain", "plain"), ("a < b & c > d", "a < b & c > d"), ("<p>one</p><p>two</p>", "\none\ntwo\n"),
        ("&lt;b&gt; &#233;&nbsp;&deg; &unknown;", "<b> é ° &unknown;"), ("<script>alert(1)</script>x", "x"),
        ("<!-- a -->b", "b"), ("<a href='x>y'>z</a>", "y'>z"), ("<b", "<b"),
        ("<tr><td>1</td><td>2</td></tr>", "\n1 2 \n"),
    ])
    func turnsHTMLIntoText(html: String, text: String) {
        #expect(HTMLText.plain(html).text == text)
    }

    @Test func manyTagsTakeLittleTime() {
        let text = String(repeating: "<a", count: 500_000)
        #expect(HTMLText.plain(text).text == text)
    }
}
