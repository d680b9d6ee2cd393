import Foundation
import PeerTestSupport
import RegionModel
import Testing
import TrackFiles

/// GPX files with faults that cost one element and not the rest, and forms that are rare.
@Suite struct TolerantGPXTests {
    private static func read(_ content: String) throws -> TrackDocument {
        try GPXReaderTests.read(#"<gpx xmlns="http://www.topografix.com/GPX/1/1">"# + content + "</gpx>")
    }

    private static func wpt(_ content: String) -> String { "<wpt lat='46.5' lon='7.2'>\(content)</wpt>" }

    @Test func halvesOfCharactersAreJoined() throws {
        let document = try Self.read(
            Self.wpt("<name>Hut &#55357;&#56832;</name>") + Self.wpt("<name>&#55357;Lost</name>")
        )
        #expect(document.waypoints.map(\.label) == ["Hut 😀", "Lost"])
        #expect(document.leftOut == ["1 character that is not allowed"])
    }

    @Test func charactersThatAreNotAllowedAreLeftOut() throws {
        let document = try Self.read(Self.wpt("<name>Good</name>") + Self.wpt("<name>H\u{1}u\u{0}t&#2;</name>"))
        #expect(document.waypoints.map(\.label) == ["Good", "Hut"])
        #expect(document.leftOut == ["3 characters that are not allowed"])
    }

    @Test func anAmpersandStaysAsItIsWritten() throws {
        let document = try Self.read(Self.wpt("<name>Tom & Jerry &undeclared; caf&eacute;</name>"))
        #expect(document.waypoints.map(\.label) == ["Tom & Jerry &undeclared; caf&eacute;"])
        #expect(document.leftOut == [])
    }

    @Test(arguments: ["", "<?xml version='1.0' encoding='UTF-8'?>"])
    func bytesThatAreNotUTF8AreReadAsWindows1252(declaration: String) throws {
        let latin = declaration + "<gpx>" + Self.wpt("<name>Z\u{FC}rich \u{20AC} ~</name>") + "</gpx>"
        let data = try #require(latin.data(using: .windowsCP1252))
        for data in [data, data.replacing("~".utf8, with: "é".utf8)] {
            let document = try TrackFileReader(now: GPXReaderTests.now).read(data)
            #expect(document.waypoints.first?.label.hasPrefix("Zürich € ") == true)
            #expect(document.leftOut == ["2 characters that are not UTF-8, read as Windows-1252"])
        }
        let other = try #require(("<?xml version='1.0' encoding='Shift_JIS'?>" + latin).data(using: .windowsCP1252))
        let error = #expect(throws: RegionStoreError.self) { try TrackFileReader().read(other) }
        #expect(error?.remedy == "Save it as UTF-8.")
    }

    @Test(arguments: [1 << 20, 9 << 20])
    func aTextThatIsFarTooLongIsLeftOut(length: Int) throws {
        let long = String(repeating: "x", count: length + 1)
        let document = try Self.read(
            Self.wpt("<name>A</name><desc><![CDATA[\(long)]]></desc>")
                + Self.wpt("<name>B</name><link href='\(long)'/>")
                + Self.wpt("<name>C</name><x a='\(long)'/><link href='https://example.org/c'/>")
        )
        #expect(document.waypoints.map(\.label) == ["A", "B", "C"])
        #expect(document.waypoints.map(\.note) == ["", "", ""])
        #expect(document.waypoints.map { $0.supplement.words?.links.count } == [0, 0, 1])
        #expect(document.leftOut == ["1 text that is too long", "1 link that is too long", "x"])
    }

    @Test func aCutAddressIsNoLink() throws {
        func links(_ length: Int) throws -> (kept: [String?], leftOut: [String]) {
            let address = "https://example.org/" + String(repeating: "a", count: length - 20)
            let document = try Self.read(Self.wpt("<link href='\(address)'/>") + Self.wpt("<url>\(address)</url>"))
            return (document.waypoints.map { $0.supplement.words?.links.first?.address }, document.leftOut)
        }
        #expect(try links(1000).kept.compactMap { $0?.utf8.count } == [1000, 1000])
        #expect(try links(1000).leftOut == [])
        #expect(try links(1001).kept == [nil, nil])
        #expect(try links(1001).leftOut == ["2 links that are too long"])
    }

    @Test(arguments: [
        #"<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="http://www.topografix.com/GPX/1/1">"#,
        #"<g:gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="http://www.topografix.com/GPX/1/1">"#,
    ])
    func severalPrefixesMayMeanGPX(root: String) throws {
        let end = root.hasPrefix("<g:") ? "</g:gpx>" : "</gpx>"
        let document = try GPXReaderTests.read(
            root + "<g:wpt lat='46.5' lon='7.2'><name>Hut</name><g:desc>d</g:desc></g:wpt>"
                + "<wpt lat='1' lon='2'><g:name>B</g:name><name xmlns='urn:x'>other</name></wpt>" + end
        )
        #expect(document.waypoints.map(\.label) == ["Hut", "B"])
        #expect(document.waypoints.map(\.note) == ["d", ""])
        #expect(document.leftOut == ["name"])
    }

    @Test func theWayOfARouteOfBaseCampIsUsed() throws {
        func rpt(_ latitude: String) -> String { "<gpxx:rpt lat='\(latitude)' lon='7.2'/>" }
        func point(_ latitude: String, _ name: String, _ way: String) -> String {
            """
            <rtept lat='\(latitude)' lon='7.2'><name>\(name)</name><extensions><gpxx:RoutePointExtension>\(way)\
            </gpxx:RoutePointExtension></extensions></rtept>
            """
        }
        let document = try Self.read(
            "<rte>" + point("46.5", "A", rpt("46.5") + rpt("46.6") + rpt("46.7")) + point("46.7", "B", "")
                + point("46.8", "C", "<gpxx:rpt lat='99' lon='7'/>") + "</rte>"
        )
        let route = try #require(document.plannedRoutes.first)
        #expect(route.coordinates.map(\.latitude) == [46.5, 46.6, 46.7, 46.8])
        #expect(route.supplement.pointTexts?.map(\.index) == [0, 2, 3])
        #expect(route.supplement.pointTexts?.map(\.name) == ["A", "B", "C"])
        #expect(document.leftOut == ["1 point without a valid position"])
        // The points of a way count.
        var reader = TrackFileReader()
        reader.limits.pointCount = 2
        let xml = "<gpx><rte>" + point("46.5", "A", rpt("46.6") + rpt("46.7")) + "</rte></gpx>"
        #expect(throws: RegionStoreError.self) { try reader.read(Data(xml.utf8)) }
    }

    @Test func temperaturesOfGarminsOlderExtensionAreKept() throws {
        let document = try Self.read(
            """
            <trk><trkseg><trkpt lat='46.5' lon='7.2'><time>2026-01-01T08:00:00Z</time><extensions><gpxx:TrackPointExtension>\
            <gpxx:Temperature>21.5</gpxx:Temperature></gpxx:TrackPointExtension></extensions></trkpt></trkseg></trk>
            """
        )
        #expect(try document.savedRoutes.first?.track().sensors[.temperature]?[0] == 21_500)
        #expect(document.leftOut == [])
    }

    @Test func theTextsOfPointsOfAHikeAreCountedAndNotKept() throws {
        func point(_ name: String, _ time: String) -> String {
            "<trkpt lat='46.5' lon='7.2'>\(time)<name>\(name)</name></trkpt>"
        }
        let time = "<time>2026-01-01T08:00:00Z</time>"
        let document = try Self.read(
            "<trk><trkseg>\(point("A", ""))\(point("B", time))\(point("C", ""))</trkseg></trk>"
        )
        #expect(document.savedRoutes.count == 1)
        #expect(document.leftOut == ["3 texts of points"])
        let plan = try Self.read("<trk><trkseg>\(point("A", ""))\(point("B", ""))</trkseg></trk>")
        #expect(plan.plannedRoutes.first?.supplement.pointTexts?.map(\.name) == ["A", "B"])
        // Those beyond the limit are left out, and the route stays.
        var reader = TrackFileReader()
        reader.limits.heldLength = 40_000
        let many = (0..<100).map { "<rtept lat='46.5' lon='7.2'><name>A long name of a point \($0)</name></rtept>" }
            .joined()
        let long = try reader.read(Data("<gpx><rte>\(many)</rte></gpx>".utf8))
        let kept = try #require(long.plannedRoutes.first?.supplement.pointTexts?.count)
        #expect(kept > 0 && kept < 100)
        #expect(long.leftOut == ["\(100 - kept) texts of points"])
    }

    @Test func aFileFromAPhoneHasSmallerLimits() throws {
        #expect(TrackFileLimits.upload.pointCount == 100_000 && TrackFileLimits.upload.waypointCount == 2000)
        let places = String(repeating: Self.wpt(""), count: 2001)
        let error = #expect(throws: RegionStoreError.self) {
            try TrackFileReader(limits: .upload).read(Data("<gpx>\(places)</gpx>".utf8))
        }
        #expect(error?.message == "The file has more than 2,000 waypoints.")
        #expect(try Self.read(places).waypoints.count == 2001)
    }

    @Test func namesArePutInWhenTheFileIsKnown() throws {
        let track = "<trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk>"
        // The name may come after the track, though no schema allows that.
        #expect(try Self.read(track + "<metadata><name>Late</name></metadata>").plannedRoutes.map(\.name) == ["Late"])
        let points = String(repeating: "<rtept lat='1' lon='2'/>", count: 25_001)
        #expect(try Self.read("<rte>\(points)</rte>").plannedRoutes.map(\.name) == ["file (1)", "file (2)"])
        let both = try Self.read("<rte>\(points)</rte>" + track)
        #expect(both.plannedRoutes.map(\.name) == ["Route 1 (1)", "Route 1 (2)", "Track 1"])
    }
}
