import Foundation
import PeerTestSupport
import RegionStore
import Testing
import WebServer

@testable import MapPages

@Suite struct RegionDataTests {
    @Test func hasTheExampleRegion() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let data = try example.json()
            let region = try #require(data["region"] as? [String: Any])
            #expect(region["name"] as? String == "Coma Pedrosa" && region["format"] as? String == "png")
            #expect(region["minimumZoom"] as? Int == 12 && region["maximumZoom"] as? Int == 15)
            let lines = try #require(data["lines"] as? [[String: Any]])
            #expect(lines.map { $0["kind"] as? String } == ["hike", "planned"])
            let (hike, route) = (
                try #require(try example.store.hikes(of: example.id).first),
                try #require(try example.store.plannedRoutes(of: example.id).first)
            )
            // The numbers are exactly those of the store.
            #expect(abs((lines[0]["distance"] as? Double ?? -1) - hike.totalDistance) < 1e-6)
            #expect(abs((lines[0]["ascent"] as? Double ?? -1) - hike.elevationGain) < 1e-6)
            #expect(abs((lines[0]["walkingTime"] as? Double ?? -1) - hike.walkingTime) < 1e-6)
            #expect(abs((lines[1]["distance"] as? Double ?? -1) - route.totalDistance) < 1e-6)
            #expect(abs((lines[1]["duration"] as? Double ?? -1) - route.estimatedDuration) < 1e-6)
            for line in lines {
                let profile = try #require(line["profile"] as? [[Double]])
                #expect(profile.allSatisfy { $0.count == 4 })
                // There is one length of a line.
                #expect(abs((profile.last?.first ?? -1) - (line["distance"] as? Double ?? 0)) < 1)
                #expect((line["segments"] as? [[Double]])?.allSatisfy { $0.count >= 4 } == true)
            }
            let waypoints = try #require(data["waypoints"] as? [[String: Any]])
            let categories = try #require(data["categories"] as? [[String: String]]).compactMap { $0["id"] }
            #expect(waypoints.count == 46 && categories.count == 9)
            #expect(waypoints.allSatisfy { categories.contains($0["category"] as? String ?? "") })
            #expect((data["leftOut"] as? [String])?.isEmpty == true)
        }
    }

    @Test func namesAndNotesStayText() async throws {
        let script = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
        try await TemporaryDirectory.with { directory in
            let escaped = script.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            let gpx = try ExampleSite.gpx(
                "<wpt lat='42.58' lon='1.45'><name>\(escaped)</name><desc>\(escaped)</desc></wpt>",
                in: directory
            )
            let example = try ExampleSite(in: directory, gpx: [gpx], name: script)
            let answer = try example.get("\(example.id.uuidString)/region.json")
            #expect(!(try answer.content).contains(UInt8(ascii: "<")))
            let data = try example.json()
            #expect((data["region"] as? [String: Any])?["name"] as? String == script)
            let waypoint = try #require((data["waypoints"] as? [[String: Any]])?.first)
            #expect(waypoint["label"] as? String == script && waypoint["note"] as? String == script)
            let list = try example.get("regions.json")
            #expect(!list.body.contains(UInt8(ascii: "<")))
        }
    }

    @Test func aTrackOfAHundredThousandPointsIsSimplifiedAndItsNumbersAreExact() async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: 9)
            let points = (0..<100_000).map { index in
                let turn = Double(index) / 4000
                let latitude = 42.58 + 0.02 * sin(turn) + Double.random(in: -2e-5...2e-5, using: &generator)
                let longitude = 1.46 + 0.03 * cos(turn * 1.3) + Double.random(in: -2e-5...2e-5, using: &generator)
                let time = Date(timeIntervalSince1970: 1_750_000_000 + Double(index)).ISO8601Format()
                return "<trkpt lat='\(latitude)' lon='\(longitude)'><ele>\(2000 + 500 * sin(turn / 3))</ele>"
                    + "<time>\(time)</time></trkpt>"
            }
            let gpx = try ExampleSite.gpx(
                "<trk><name>Long</name><trkseg>\(points.joined())</trkseg></trk>",
                in: directory
            )
            let example = try ExampleSite(in: directory, gpx: [gpx])
            let line = try #require((try example.json()["lines"] as? [[String: Any]])?.first)
            let hike = try #require(try example.store.hikes(of: example.id).first)
            #expect(abs((line["distance"] as? Double ?? -1) - hike.totalDistance) < 1e-6)
            #expect(abs((line["ascent"] as? Double ?? -1) - hike.elevationGain) < 1e-6)
            let segment = try #require((line["segments"] as? [[Double]])?.first)
            #expect((2_000...2 * (MapLimits.pointsOfLine + 50)).contains(segment.count))
            #expect((line["profile"] as? [[Double]])?.count ?? 0 <= LineProfile.maximumCount)
        }
    }

    @Test func segmentsAreNotJoined() async throws {
        try await TemporaryDirectory.with { directory in
            let segments = ["42.57", "42.59"].map { latitude in
                "<trkseg><trkpt lat='\(latitude)' lon='1.45'/><trkpt lat='\(latitude)' lon='1.46'/></trkseg>"
            }
            let gpx = try ExampleSite.gpx("<trk><name>Two</name>\(segments.joined())</trk>", in: directory)
            let example = try ExampleSite(in: directory, gpx: [gpx])
            let line = try #require((try example.json()["lines"] as? [[String: Any]])?.first)
            #expect(line["segments"] as? [[Double]] == [[42.57, 1.45, 42.57, 1.46], [42.59, 1.45, 42.59, 1.46]])
            #expect(line["profile"] == nil)
            #expect(line["startTime"] == nil)
        }
    }

    @Test func manyItemsAreShownInPartAndTheirTextsAreLimited() async throws {
        try await TemporaryDirectory.with { directory in
            let note = String(repeating: "x", count: 1_990)
            let waypoints = (0..<5_010).map { index in
                "<wpt lat='42.58' lon='1.45'><name>W\(index)</name><desc>\(note)</desc></wpt>"
            }
            let tracks = (0..<510).map { index in
                "<rte><name>R\(index)</name><rtept lat='42.58' lon='1.45'/><rtept lat='42.59' lon='1.4\(index)'/></rte>"
            }
            let gpx = try ExampleSite.gpx(waypoints.joined() + tracks.joined(), in: directory)
            let data = try ExampleSite(in: directory, gpx: [gpx]).json()
            #expect((data["lines"] as? [Any])?.count == 500)
            let shown = try #require(data["waypoints"] as? [[String: Any]])
            let withNotes = shown.count { $0["note"] != nil }
            #expect(shown.count == 5_000 && withNotes == MapLimits.texts / 1_990)
            #expect(
                data["leftOut"] as? [[AnyHashable]] == [
                    ["Only {} of {} hikes and routes are shown, the newest.", 500, 510],
                    ["Only {} of {} waypoints are shown, the newest.", 5_000, 5_010],
                    ["Comments and notes that are too many for this page are not shown: {}.", 5_000 - withNotes],
                ]
            )
            // The heading tells what the region has.
            let region = try #require(data["region"] as? [String: Any])
            #expect(region["plannedRoutes"] as? Int == 510 && region["waypoints"] as? Int == 5_010)
        }
    }

    @Test func charactersThatTurnTheWritingAreShownAsNumbers() {
        #expect(MapLimits.shownName("\u{202E}gpx.exe") == "\\u{202e}gpx.exe")
        #expect(MapLimits.shownName("a\u{2066}b") == "a\\u{2066}b")
        #expect(MapLimits.shownName("שלום 👨‍👩‍👧") == "שלום 👨‍👩‍👧")
    }

    @Test func textsAreShortened() {
        #expect(MapLimits.shorten("abc", to: 3) == "abc")
        #expect(MapLimits.shorten("abcd", to: 3) == "ab…")
        #expect(MapLimits.shorten("äöü", to: 3) == "äöü")
        // One character can have any number of scalars.
        let accents = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(MapLimits.shorten(accents, to: 100).unicodeScalars.count == 100)
    }
}
