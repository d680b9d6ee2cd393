import Foundation
import PeerTestSupport
import RegionModel
import Testing
import TrackFiles

@Suite struct GPXReaderTests {
    static let now = Date(timeIntervalSince1970: 1_770_307_200)

    static func read(_ text: String, named name: String = "file") throws(RegionStoreError) -> TrackDocument {
        try TrackFileReader(now: now).read(Data(text.utf8), named: name)
    }

    static let full = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1" xmlns:e="urn:e">
          <metadata>
            <name>Čudovita
              pot</name><author><name>Nobody</name></author><time>2025-06-20T18:00:00Z</time>
          </metadata>
          <wpt lat="42.5" lon="1.5">
            <ele>1934.5</ele><time>2025-06-01T06:00:00.5+02:00</time><name>Font &amp; més</name><cmt>short</cmt>
            <desc><![CDATA[<b>cold</b>]]></desc><sym>Drinking Water</sym>
            <extensions><name>wrong</name><e:name>wrong</e:name></extensions><e:name>wrong</e:name>
          </wpt>
          <rte>
            <name>Up</name><type>Mountain Biking</type>
            <rtept lat="42.5" lon="1.5"><ele>1000</ele><name>not the route's</name></rtept>
            <rtept lat="42.5449661" lon="1.5"><ele>1600</ele></rtept>
          </rte>
          <trk>
            <name>Day &#x1F97E;</name><desc>nice</desc>
            <trkseg><trkpt lat="42.5" lon="1.5"><ele>1000</ele><time>2025-06-20T08:00:00Z</time></trkpt></trkseg>
            <trkseg/>
            <trkseg><trkpt lat="42.6" lon="1.5"><ele>1100</ele><time>2025-06-20T10:00:00Z</time>
              <extensions><e:hr>120</e:hr></extensions></trkpt></trkseg>
          </trk>
        </gpx>
        """

    @Test func readsEverythingOfAFile() throws {
        let document = try Self.read(Self.full)
        #expect(document.name == "Čudovita pot")
        let waypoint = try #require(document.waypoints.first)
        #expect(waypoint.label == "Font & més")
        #expect(waypoint.note == "<b>cold</b>\nshort")
        #expect(waypoint.category == .waterSource)
        #expect(waypoint.elevation == 1934.5)
        #expect(waypoint.time == Date(timeIntervalSince1970: 1_748_750_400.5))

        let route = try #require(document.plannedRoutes.first)
        #expect(route.name == "Up")
        #expect(route.mode == .cycling)
        #expect(route.coordinates.count == 2)
        #expect(abs(route.totalDistance - 5000) < 1)
        #expect(route.elevationGain == 600)
        #expect(abs(route.estimatedDuration - 7200) < 1)
        #expect(route.elevationProfile?.map(\.elevation) == [1000, 1600])
        #expect(route.createdAt == Date(timeIntervalSince1970: 1_750_442_400))
        #expect(route.regionID == nil)

        let hike = try #require(document.savedRoutes.first)
        #expect(hike.name == "Day 🥾")
        #expect(hike.comment == "nice")
        #expect(hike.endTime.timeIntervalSince(hike.startTime) == 7200)
        // Nothing is known of the way between two segments.
        #expect(hike.restingTime == 7200 && hike.walkingTime == 0)
        #expect(hike.totalDistance == 0)
        #expect(hike.averageHeartRate == 120 && hike.maximumHeartRate == 120)
        let track = try hike.track()
        #expect(track.points.map(\.elevation) == [1000, 1100])
        #expect(track.segments == [0..<1, 1..<2])
        #expect(track.sensors[.heartRate]?[1] == 120_000)
        #expect(document.leftOut == ["1 empty track segment", "e:name (2 times)", "name", "the file's own author"])
    }

    @Test func readsEitherVersionWithAnyPrefixOrNone() throws {
        let plain = try Self.read(Self.full)
        var prefixed = Self.full.replacingOccurrences(of: "xmlns=", with: "xmlns:g=")
        for name in ["gpx", "metadata", "wpt", "rte", "rtept", "trk", "trkseg", "trkpt", "ele", "time", "name", "cmt"]
            + ["desc", "sym", "type"]
        {
            for (before, after) in [("<", " "), ("<", ">"), ("</", ">"), ("<", "/>")] {
                prefixed = prefixed.replacingOccurrences(of: before + name + after, with: before + "g:" + name + after)
            }
        }
        var other = try Self.read(prefixed)
        // An extension has the name of the file.
        #expect(other.leftOut.contains { $0.hasPrefix("g:name") })
        other.leftOut = plain.leftOut
        #expect(other == plain)
        #expect(
            try Self.read(Self.full.replacingOccurrences(of: #" xmlns="http://www.topografix.com/GPX/1/1""#, with: ""))
                == plain
        )
        let old =
            #"<gpx version="1.0"><name>Old</name><time>2010-10-04T05:13:19Z</time>"#
            + #"<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>"#
        let document = try Self.read(old)
        #expect(document.plannedRoutes.first?.name == "Old")
        #expect(document.plannedRoutes.first?.createdAt == Date(timeIntervalSince1970: 1_286_169_199))
    }

    @Test func readsEveryEncoding() throws {
        let plain = try Self.read(Self.full)
        let utf16 = Self.full.replacingOccurrences(of: "UTF-8", with: "UTF-16")
        #expect(
            try TrackFileReader(now: Self.now).read(Data([0xEF, 0xBB, 0xBF] + Array(Self.full.utf8)), named: "file")
                == plain
        )
        for isBigEndian in [true, false] {
            for mark in [true, false] {
                let units = (mark ? [0xFEFF] : []) + Array(utf16.utf16)
                let data = Data(
                    units.flatMap {
                        isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
                    }
                )
                #expect(try TrackFileReader(now: Self.now).read(data, named: "file") == plain)
            }
        }
        let utf32 = Self.full.replacingOccurrences(of: "UTF-8", with: "UTF-32").unicodeScalars.map(\.value)
        for isBigEndian in [true, false] {
            for mark in [[0xFEFF], []] as [[UInt32]] {
                let shifts: [UInt32] = isBigEndian ? [24, 16, 8, 0] : [0, 8, 16, 24]
                let data = Data((mark + utf32).flatMap { unit in shifts.map { UInt8(truncatingIfNeeded: unit >> $0) } })
                #expect(try TrackFileReader(now: Self.now).read(data, named: "file") == plain)
            }
        }
        let latin = #"<?xml version="1.0" encoding="ISO-8859-1"?><gpx><wpt lat="1" lon="2"><name>é</name></wpt></gpx>"#
        let data = try #require(latin.data(using: .isoLatin1))
        #expect(try TrackFileReader(now: Self.now).read(data).waypoints.first?.label == "é")
    }

    @Test func longitudesBeyond180AreThoseOfTheOtherSide() throws {
        let document = try Self.read(
            "<gpx><wpt lat='1' lon='368'/><wpt lat='1' lon='-190'/><wpt lat='1' lon='5e5'/></gpx>"
        )
        #expect(document.waypoints.map(\.coordinate.longitude) == [8, 170])
        #expect(document.leftOut == ["1 point without a valid position"])
    }

    @Test func importingTwiceGivesTheSameIDs() throws {
        let first = try Self.read(Self.full)
        let later = try TrackFileReader(now: Self.now + 86_400).read(Data(Self.full.utf8), named: "renamed")
        #expect(first.waypoints.map(\.id) == later.waypoints.map(\.id))
        #expect(first.plannedRoutes.map(\.id) == later.plannedRoutes.map(\.id))
        #expect(first.savedRoutes.map(\.id) == later.savedRoutes.map(\.id))
        let ids = first.waypoints.map(\.id) + first.plannedRoutes.map(\.id) + first.savedRoutes.map(\.id)
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { $0.uuid.6 >> 4 == 8 && $0.uuid.8 >> 6 == 2 })
        let moved = try Self.read(Self.full.replacingOccurrences(of: #"lat="42.6""#, with: #"lat="42.61""#))
        #expect(moved.savedRoutes.first?.id != first.savedRoutes.first?.id)
        let twin = #"<gpx><wpt lat="1" lon="2"/><wpt lat="1" lon="2"/></gpx>"#
        #expect(Set(try Self.read(twin).waypoints.map(\.id)).count == 2)
        #expect(try Self.read(twin).waypoints.map(\.id) == Self.read(twin).waypoints.map(\.id))
    }

    @Test func namesWhatHasNoName() throws {
        let track = #"<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>"#
        #expect(try Self.read("<gpx>\(track)</gpx>", named: "Sunday").plannedRoutes.map(\.name) == ["Sunday"])
        #expect(try Self.read("<gpx>\(track)</gpx>", named: "").plannedRoutes.map(\.name) == ["Track 1"])
        #expect(try Self.read("<gpx>\(track)\(track)</gpx>").plannedRoutes.map(\.name) == ["Track 1", "Track 2"])
        let long = String(repeating: "é", count: 600)
        let name = try Self.read("<gpx><wpt lat='1' lon='2'><name>\(long)</name></wpt></gpx>").waypoints[0].label
        #expect(name == String(repeating: "é", count: 500))
    }

    @Test(arguments: [
        ("viewpoint", "", WaypointCategory.viewpoint), ("Water Source", "", .waterSource),
        ("", "Campground", .campsite),
        ("", "Drinking Water", .waterSource), ("", "Parking Area", .parking), ("", "Summit", .viewpoint),
        ("", "Scenic Area", .viewpoint), ("", "Restaurant", .food), ("", "Lodge", .shelter),
        ("", "Danger Area", .danger),
        ("user", "Trail Head", .trailMarker), ("danger", "Summit", .danger), ("", "Flag, Blue", .custom),
        ("", "", .custom),
        ("Summit", "", .viewpoint), ("ÄÖ", "🥾", .custom), ("Favorites", "tourism_alpine_hut", .shelter),
        ("", "amenity_drinking_water", .waterSource), ("", "tourism_camp_site", .campsite),
        ("", "natural_peak", .viewpoint),
        ("", "information_guidepost", .trailMarker), ("", "amenity_parking", .parking), ("", "shop_supermarket", .food),
        ("", "special_star", .custom), ("", "Water Source", .waterSource), ("", "Food Source", .food),
        ("", "Lodging", .shelter),
        ("", "Mile Marker", .custom), ("", "campsite-24", .campsite), ("", "Skull and Crossbones", .danger),
    ])
    func findsTheCategory(type: String, symbol: String, category: WaypointCategory) throws {
        let xml = "<gpx><wpt lat='1' lon='2'><sym>\(symbol)</sym><type>\(type)</type></wpt></gpx>"
        #expect(try Self.read(xml).waypoints.map(\.category) == [category])
    }

    private func hike(times: [String]) throws -> SavedRoute {
        let points = times.enumerated().map { index, time in
            "<trkpt lat='42.\(index)' lon='1'>" + (time.isEmpty ? "" : "<time>\(time)</time>") + "</trkpt>"
        }
        return try Self.read("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>").savedRoutes[0]
    }

    @Test func keepsTimesAsTheyAre() throws {
        for times in [
            ["1901-12-13T20:45:52Z", "1901-12-13T20:45:52Z"], ["2025-06-20T08:00:00Z", "2025-06-20T08:00:00Z"],
            ["2025-12-20T08:00:00Z", "2025-06-20T08:00:00Z", "2025-06-20T08:01:00Z"],
            ["2025-06-20T08:00:00Z", "", "2025-06-20T07:00:00.125Z", "2025-06-20T10:00:00Z"],
            ["9999-12-31T23:59:58Z", "9999-12-31T23:59:59Z"], ["2100-06-20T08:00:00Z", "2025-06-20T09:00:00Z", ""],
        ] {
            let hike = try hike(times: times)
            let expected = times.map { Timestamp.date(parsing: $0.utf8) }
            #expect(try hike.track().points.map(\.time) == expected)
            let past = expected.compactMap { $0 }.filter { $0 < Self.now + 86_400 }
            #expect(hike.startTime == past.min() ?? Self.now)
            #expect(hike.endTime == past.max() ?? Self.now)
            #expect(hike.walkingTime + hike.restingTime == hike.endTime.timeIntervalSince(hike.startTime))
        }
    }

    @Test(arguments: [["", ""], ["nonsense", "12"]])
    func aTrackWithoutTimesIsAPlannedRoute(times: [String]) throws {
        let points = times.map { "<trkpt lat='42' lon='1'><time>\($0)</time></trkpt>" }.joined()
        let document = try Self.read("<gpx><trk><name>Plan</name><trkseg>\(points)</trkseg></trk></gpx>")
        #expect(document.savedRoutes.isEmpty)
        #expect(document.plannedRoutes.map(\.name) == ["Plan"])
        #expect(document.leftOut == (times[0].isEmpty ? [] : ["2 times that are not valid"]))
    }

    @Test(arguments: ["2100-01-01T00:00:00Z", "9999-12-31T23:59:59.9Z"])
    func aTimeOfTheFutureIsMissing(time: String) throws {
        let document = try Self.read(
            """
            <gpx><metadata><time>\(time)</time></metadata><wpt lat='1' lon='2'><time>\(time)</time></wpt>
            <rte><rtept lat='1' lon='2'><time>\(time)</time></rtept></rte>
            <trk><trkseg><trkpt lat='1' lon='2'><time>\(time)</time></trkpt></trkseg></trk></gpx>
            """
        )
        #expect(document.waypoints.map(\.time) == [Self.now])
        #expect(document.plannedRoutes.map(\.createdAt) == [Self.now])
        #expect(document.savedRoutes.map(\.startTime) == [Self.now])
        #expect(document.savedRoutes.map(\.endTime) == [Self.now])
        #expect(try document.savedRoutes.map { try $0.track().points[0].time } == [Timestamp.date(parsing: time.utf8)])
    }

    @Test func aLinkToAFileIsAsGoodAsTheFile() async throws {
        try await TemporaryDirectory.with { directory in
            let text = "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path("file.gpx")))
            let link = directory.path("Sunday.gpx")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file.gpx")
            #expect(try TrackFileReader().read(contentsOf: link).plannedRoutes.map(\.name) == ["Sunday"])
        }
    }
}
