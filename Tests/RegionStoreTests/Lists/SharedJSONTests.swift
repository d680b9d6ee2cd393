import Foundation
import RegionStore
import RegionTestSupport
import Testing

@Suite struct SharedJSONTests {
    @Test func writesWaypointsAsTheGoldenFileHasThem() throws {
        let waypoints = try SharedJSON.decode(Waypoint.self, from: Data(GoldenJSON.waypoints.utf8))
        #expect(waypoints.count == 2)
        #expect(waypoints[0].elevation == 2942.5)
        #expect(waypoints[0].category == .viewpoint)
        #expect(waypoints[0].time == Date(timeIntervalSince1970: 1_770_307_200))
        #expect(waypoints[1].elevation == nil)
        #expect(waypoints[1].coordinate == Coordinate(latitude: -10, longitude: -180))
        #expect(String(decoding: try SharedJSON.encode(waypoints), as: UTF8.self) == GoldenJSON.waypoints)
    }

    @Test func writesHikesAsTheGoldenFileHasThem() throws {
        let hikes = try SharedJSON.decode(SavedRoute.self, from: Data(GoldenJSON.savedRoutes.utf8))
        #expect(hikes.first?.trackData == Data([0xFB, 0xFF]))
        #expect(hikes.first?.maximumHeartRate == 160)
        #expect(String(decoding: try SharedJSON.encode(hikes), as: UTF8.self) == GoldenJSON.savedRoutes)
    }

    @Test func writesPlannedRoutesAsTheGoldenFileHasThem() throws {
        let routes = try SharedJSON.decode(PlannedRoute.self, from: Data(GoldenJSON.plannedRoutes.utf8))
        #expect(routes.first?.mode == .cycling)
        #expect(routes.first?.turnInstructions.first?.direction == .arrive)
        #expect(routes.first?.elevationProfile?.count == 2)
        #expect(String(decoding: try SharedJSON.encode(routes), as: UTF8.self) == GoldenJSON.plannedRoutes)
    }

    @Test func healthDataCanBeLeftOut() throws {
        let hikes = try SharedJSON.decode(SavedRoute.self, from: Data(GoldenJSON.savedRoutes.utf8))
        let json = String(decoding: try SharedJSON.encode(hikes.map { $0.withoutHealthData() }), as: UTF8.self)
        #expect(!json.contains("HeartRate"))
        #expect(!json.contains("Calories"))
        #expect(!json.contains("trackSensors"))
        #expect(json.contains("Windy"))
    }

    @Test func keepsWhatGPXFilesSay() throws {
        let waypoint = try #require(try SharedJSON.decode(Waypoint.self, from: Data(GoldenJSON.waypoints.utf8)).first)
        #expect(waypoint.supplement.words?.symbol == "Summit")
        #expect(waypoint.supplement.words?.links.first?.address == "http://a.example/")
        let hike = try #require(try SharedJSON.decode(SavedRoute.self, from: Data(GoldenJSON.savedRoutes.utf8)).first)
        #expect(hike.supplement.track == Data([1, 2, 3]) && hike.supplement.sensors == Data([4, 5, 6]))
        let route = try #require(
            try SharedJSON.decode(PlannedRoute.self, from: Data(GoldenJSON.plannedRoutes.utf8)).first
        )
        #expect(route.supplement.pointTexts?.first?.name == "End")
    }

    @Test(arguments: [
        (#""index":2"#, #""index":25000"#), (#""index":2"#, #""index":-1"#), (#""index":2"#, #""index":1.5"#),
        ("AQID", "AQI"), (#""desc":"d""#, #""desc":7"#),
    ])
    func refusesWrongTextsAndTables(found: String, replacement: String) {
        let json = GoldenJSON.plannedRoutes.replacingOccurrences(of: found, with: replacement)
        #expect(json != GoldenJSON.plannedRoutes)
        #expect(throws: RegionStoreError.self) { try SharedJSON.decode(PlannedRoute.self, from: Data(json.utf8)) }
    }

    @Test func refusesMoreLinksThanAllowed() throws {
        func json(_ count: Int) -> Data {
            let link = #"{"href":"http://a.example/","text":"a","type":"text/html"}"#
            let links = Array(repeating: link, count: count).joined(separator: ",")
            return Data(GoldenJSON.waypoints.replacingOccurrences(of: link, with: links).utf8)
        }
        #expect(try SharedJSON.decode(Waypoint.self, from: json(20)).count == 2)
        #expect(throws: RegionStoreError.self) { try SharedJSON.decode(Waypoint.self, from: json(21)) }
    }

    @Test func recordIDsOfAnOwnersCloudDoNotSurvive() throws {
        for (golden, passes) in [
            (GoldenJSON.waypoints, pass(Waypoint.self)), (GoldenJSON.savedRoutes, pass(SavedRoute.self)),
            (GoldenJSON.plannedRoutes, pass(PlannedRoute.self)),
        ] {
            let json = golden.replacingOccurrences(of: #""id":"#, with: #""cloudKitRecordID":"secret","id":"#)
            #expect(try !passes(json).contains("secret"))
        }
    }

    private func pass<Item: SharedItem>(_ type: Item.Type) -> (String) throws -> String {
        { String(decoding: try SharedJSON.encode(SharedJSON.decode(Item.self, from: Data($0.utf8))), as: UTF8.self) }
    }

    @Test(arguments: [
        ("2026-02-05T16:00:00Z", "2026-02-05t16:00:00.789Z"),
        ("2026-02-05T16:00:00Z", "2026-02-05T18:00:00+02:00"),
        ("2026-02-05T16:00:00Z", "2026-02-05T10:30:00.000000-0530"),
        (#""0F8FAD5B-D9CB"#, #""0f8fad5b-d9cb"#),
        (#""viewpoint""#, #""viewpoint","unknown":{"a":[1]}"#),
    ])
    func readsTolerantFormsOfAWaypoint(strict: String, tolerant: String) throws {
        let json = GoldenJSON.waypoints.replacingOccurrences(of: strict, with: tolerant)
        #expect(json != GoldenJSON.waypoints)
        #expect(try pass(Waypoint.self)(json) == GoldenJSON.waypoints)
    }

    @Test func readsUnknownCategoryAsCustomAndNumbersAsDates() throws {
        let json = GoldenJSON.waypoints.replacingOccurrences(of: "waterSource", with: "volcano")
            .replacingOccurrences(of: #""2026-02-05T16:00:00Z""#, with: "792000000.75")
        let waypoints = try SharedJSON.decode(Waypoint.self, from: Data(json.utf8))
        #expect(waypoints.map(\.category) == [.viewpoint, .custom])
        #expect(waypoints[0].time == Date(timeIntervalSinceReferenceDate: 792_000_000.75))
    }

    @Test func readsAndroidsHikeWithoutTrack() throws {
        let json = GoldenJSON.savedRoutes.replacingOccurrences(of: #""trackData":"+/8=","#, with: "")
        #expect(try SharedJSON.decode(SavedRoute.self, from: Data(json.utf8)).first?.trackData == Data())
    }

    @Test(arguments: [
        (#""latitude":-10,"#, "", "The 2nd waypoint has no latitude."),
        (#""latitude":-10"#, #""latitude":-90.5"#, "The 2nd waypoint is wrong: its latitude is not on Earth."),
        (#""longitude":-180"#, #""longitude":181"#, "The 2nd waypoint is wrong: its longitude is not on Earth."),
        (#""latitude":-10"#, #""latitude":"x""#, "The 2nd waypoint has a value of the wrong kind (latitude)."),
        ("1999-12-31", "1999-13-31", "The 2nd waypoint is wrong: its timestamp is not a date."),
        (#""1999-12-31T23:59:59Z""#, "1e300", "The 2nd waypoint is wrong: its timestamp is not a date."),
        (
            "7C9E6679-7425-40DE-944B-E07FC1F90AE7\",\"label", "7C9E\",\"label",
            "The 2nd waypoint has a value that cannot"
        ),
        ("[{", "[{{", "The list of waypoints is not valid JSON."),
        ("[{", #"{"a":[{"#, "The list of waypoints is not valid JSON."),
    ])
    func namesTheItemThatIsWrong(found: String, replacement: String, message: String) throws {
        let json = GoldenJSON.waypoints.replacingOccurrences(of: found, with: replacement)
        #expect(json != GoldenJSON.waypoints)
        let error = #expect(throws: RegionStoreError.self) {
            try SharedJSON.decode(Waypoint.self, from: Data(json.utf8))
        }
        #expect(error?.code == .refused)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func refusesNumbersThatAreNotFinite() {
        for number in ["1e999", "NaN", "Infinity", "-1e400"] {
            let json = GoldenJSON.waypoints.replacingOccurrences(of: "2942.5", with: number)
            #expect(throws: RegionStoreError.self) { try SharedJSON.decode(Waypoint.self, from: Data(json.utf8)) }
        }
    }

    @Test func refusesTextsAndCountsBeyondTheLimits() throws {
        func json(_ label: Int, _ note: Int) -> Data {
            Data(
                GoldenJSON.waypoints
                    .replacingOccurrences(of: #""Pic""#, with: "\"" + String(repeating: "x", count: label) + "\"")
                    .replacingOccurrences(
                        of: #""note":"""#,
                        with: "\"note\":\"" + String(repeating: "x", count: note) + "\""
                    )
                    .utf8
            )
        }
        #expect(try SharedJSON.decode(Waypoint.self, from: json(1000, 100_000)).count == 2)
        #expect(throws: RegionStoreError.self) { try SharedJSON.decode(Waypoint.self, from: json(1001, 1)) }
        #expect(throws: RegionStoreError.self) { try SharedJSON.decode(Waypoint.self, from: json(1, 100_001)) }
        let golden = Data(GoldenJSON.waypoints.utf8)
        #expect(try SharedJSON.decode(Waypoint.self, from: golden, maximumCount: 2).count == 2)
        #expect(throws: RegionStoreError.self) { try SharedJSON.decode(Waypoint.self, from: golden, maximumCount: 1) }
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test(arguments: [
        (#""trackData" : "+/8=" "#, true), (#""trackData":"+\/8=""#, true), (#""trackData":"\u002B/8=""#, true),
        (#""track\u0044ata":"+/8=""#, true), (#""trackData":"+/8=AAAA""#, false), (#""trackData":"+\n/8=""#, false),
        (#""trackData":"+/8=","trackData":"+/8=""#, false), (#""trackData":"+/8=",""#, false),
        // Of keys that are not known, too.
        (#""trackData":"+/8=","x":1,"x":2"#, true), (#""trackData":"+/8=","x":[1,]"#, false),
        (#""trackData":"+/8=","x":01"#, false), (#""trackData":"+/8=","x":"\uD800""#, false),
        (#""trackData":"+/8=","x":\#(nested(32))"#, true), (#""trackData":"+/8=","x":\#(nested(33))"#, false),
        (#""trackData":"+/8=","x":[\#(String(repeating: "0,", count: 900))0]"#, true),
        (#""trackData":"+/8=","x":[\#(String(repeating: "0,", count: 1000))0]"#, false),
        (#""trackData":"+/8=","\#(String(repeating: "k", count: 1000))":1"#, true),
        (#""trackData":"+/8=","\#(String(repeating: "k", count: 1001))":1"#, false),
    ])
    func acceptsWhatTheFormatOfListsAllows(track: String, isAccepted: Bool) {
        let json = GoldenJSON.savedRoutes.replacingOccurrences(of: #""trackData":"+/8=""#, with: track)
        let hikes = try? SharedJSON.decode(SavedRoute.self, from: Data(json.utf8))
        #expect(json != GoldenJSON.savedRoutes)
        #expect(hikes?.first?.trackData == (isAccepted ? Data([0xFB, 0xFF]) : nil))
    }

    @Test func refusesDeepNesting() {
        let json = String(repeating: "[", count: 100_000)
        #expect(throws: RegionStoreError.self) { try SharedJSON.decode(Waypoint.self, from: Data(json.utf8)) }
    }
}
