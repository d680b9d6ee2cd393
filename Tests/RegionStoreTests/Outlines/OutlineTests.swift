import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// The outlines in the description of a region.
@Suite struct OutlineTests {
    private static func region(_ outlines: String) throws -> Region {
        let golden = #"[{"kind":"savedroutes","points":[426000,14500,425900,14612]}]"#
        let json = GoldenJSON.region.replacingOccurrences(of: golden, with: outlines)
        #expect(json != GoldenJSON.region || outlines == golden)
        return try JSONDecoder().decode(Region.self, from: Data(json.utf8))
    }

    private static func outline(_ points: String, _ kind: String = "savedroutes") -> String {
        #"{"kind":"\#(kind)","points":[\#(points)]}"#
    }

    private static func outline(count: Int) -> String {
        outline(Array(repeating: "0,0", count: count).joined(separator: ","))
    }

    // MARK: Untrusted outlines

    @Test(arguments: [
        "{}", #""x""#, "7", "[7]", "[null]", #"[{"kind":"savedroutes"}]"#, #"[{"points":[1,1,2,2]}]"#,
        #"[{"kind":7,"points":[1,1,2,2]}]"#, #"[{"kind":"","points":[1,1,2,2]}]"#,
        #"[{"kind":"savedroutes","points":{}}]"#, #"[{"kind":"savedroutes","points":"1,1,2,2"}]"#,
    ])
    func anotherFormIsRefused(outlines: String) {
        #expect(throws: DecodingError.self) { try Self.region(outlines) }
    }

    @Test(arguments: [
        "", "1", "1,1", "1,1,2", "1,1,2,2,3", "900001,0,0,0", "-900001,0,0,0", "0,1800001,0,0", "0,-1800001,0,0",
        "0.5,0,0,0", "NaN,0,0,0", #""NaN",0,0,0"#, "1e400,0,0,0", "1e30,0,0,0", "9223372036854775807,0,0,0",
        "9223372036854775808,0,0,0", "-9223372036854775808,0,0,0", "null,0,0,0", "[0,0],[0,0]",
    ])
    func positionsThatAreNotOnEarthAreRefused(points: String) {
        #expect(throws: DecodingError.self) { try Self.region("[\(Self.outline(points))]") }
    }

    @Test func theBoundsAreOnEarth() throws {
        let region = try Self.region("[\(Self.outline("900000,1800000,-900000,-1800000"))]")
        let corners = [Coordinate(latitude: 90, longitude: 180), Coordinate(latitude: -90, longitude: -180)]
        #expect(region.outlines.first?.points == corners.compactMap { $0 })
    }

    @Test func noMoreThanTheMaximumIsAccepted() throws {
        func outlines(_ count: Int, of points: Int) -> String {
            "[\(Array(repeating: Self.outline(count: points), count: count).joined(separator: ","))]"
        }
        for (count, points) in [(100, 20), (1, 2000), (2, 1000)] {
            #expect(try Self.region(outlines(count, of: points)).outlines.count == count)
        }
        for (count, points) in [(101, 2), (1, 2001), (2, 1001), (100, 21), (1, 300_000)] {
            #expect(throws: DecodingError.self) { try Self.region(outlines(count, of: points)) }
        }
    }

    @Test func outlinesOfUnknownKindsAreIgnored() throws {
        let outlines = ["heliports", "waypoints", "plannedroutes"].map { Self.outline("1,1,2,2", $0) }
        #expect(try Self.region("[\(outlines.joined(separator: ","))]").outlines.map(\.kind) == [.plannedroutes])
        #expect(try Self.region("[]").outlines.isEmpty)
        #expect(try Self.region("null").outlines.isEmpty)
    }

    @Test func aManifestWithWrongOutlinesIsRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let manifest = try pair.sender.source(for: pair.region.id).manifest
            let text = String(decoding: manifest.body, as: UTF8.self)
            let wrong = text.replacing(#/"points":\[\d+/#, with: #""points":[900001"#)
            #expect(wrong != text)
            try pair.receiver.sink().examine(manifest)
            #expect(throws: ProtocolError.self) {
                try pair.receiver.sink().examine(try Manifest(parsing: Data(wrong.utf8)))
            }
        }
    }

    // MARK: Offers

    @Test func outlinesArriveAsTheyWereSent() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id)
            let received = try ManifestValidator(try Manifest(parsing: source.manifest.body)).region
            #expect(received.outlines.map(\.kind) == [.savedroutes, .savedroutes, .plannedroutes])
            // The points of `Items`, which are on a straight line.
            #expect(received.outlines[0].points == [try Items.coordinate(), try Items.coordinate(47.202)])
            #expect(received.outlines[2].points == [try Items.coordinate(), try Items.coordinate(47.21, 11.41)])
            // Offers are the same if and only if their manifests are.
            #expect(try pair.sender.source(for: pair.region.id).manifest.digest == source.manifest.digest)
            try Transfers.run(source, to: pair.receiver.sink())
            let again = try pair.receiver.source(for: pair.region.id).manifest
            #expect(Set(try again.description(as: Region.self).outlines) == Set(received.outlines))
        }
    }

    @Test func whatIsNotOfferedHasNoOutline() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            func kinds(_ only: Set<ResourceKind>?, _ routes: RouteSelection = .all) throws -> [ResourceKind] {
                let source = try pair.sender.source(for: pair.region.id, kinds: only, routes: routes)
                return try source.manifest.description(as: Region.self).outlines.map(\.kind)
            }
            #expect(try kinds(nil).count == 3)
            #expect(try kinds([.mbtiles, .waypoints]).isEmpty)
            #expect(try kinds([.mbtiles, .plannedroutes]) == [.plannedroutes])
            #expect(try kinds([.mbtiles, .savedroutes]) == [.savedroutes, .savedroutes])
            #expect(try kinds(nil, RouteSelection(named: ["Goetheweg"])) == [.savedroutes])
            let source = try pair.sender.source(for: pair.region.id, kinds: [.mbtiles])
            #expect(!String(decoding: source.manifest.body, as: UTF8.self).contains("outlines"))
        }
    }

    // MARK: Selection

    @Test func theLongestOfManyAreSelected() throws {
        let hikes = try (0..<150).map { number in
            var hike = try Items.hike()
            hike.totalDistance = Double(number * 7 % 150)
            hike.trackData = try Self.track(latitude: 40 + hike.totalDistance * 0.01)
            return hike
        }
        let routes = try (0..<30).map { number in
            var route = try Items.plannedRoute()
            route.totalDistance = number == 0 ? .nan : 1000
            return route
        }
        let outlines = Self.outlines(of: hikes, routes)
        #expect(outlines.prefix(71).allSatisfy { $0.kind == .savedroutes })
        #expect(outlines.dropFirst(71).map(\.kind) == Array(repeating: .plannedroutes, count: 29))
        // The hikes from 79 on, in the order in which they were added.
        let numbers = (0..<150).map { $0 * 7 % 150 }.filter { $0 >= 79 }
        #expect(outlines.prefix(71).map { Int((($0.points[0].latitude - 40) * 100).rounded()) } == numbers)
        #expect(outlines.reduce(0) { $0 + $1.points.count } <= Outline.maximumPointCount)
    }

    @Test(arguments: [1, 9, 10, 11, 99, 100, 101]) func allOutlinesTogetherStayInTheLimit(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let routes = try (0..<count).map { _ in
            var route = try Items.plannedRoute()
            route.coordinates = try (0..<500).map { _ in
                let latitude = Double.random(in: 47...48, using: &generator)
                return try Items.coordinate(latitude, .random(in: 11...12, using: &generator))
            }
            return route
        }
        let outlines = Self.outlines(of: [], routes)
        #expect(outlines.count == min(count, Outline.maximumCount))
        let points = outlines.reduce(0) { $0 + $1.points.count }
        #expect(points == outlines.count * min(200, 2000 / outlines.count))
        #expect(points <= Outline.maximumPointCount)
    }

    @Test func itemsWithoutALineAreLeftOut() throws {
        var (empty, broken) = (try Items.hike(), try Items.hike())
        empty.trackData = Data()
        broken.trackData = Data([1, 2, 3])
        var route = try Items.plannedRoute()
        route.coordinates = [try Items.coordinate()]
        #expect(Self.outlines(of: [], []).isEmpty)
        #expect(Self.outlines(of: [empty, broken, try Items.hike()], [route]).map(\.kind) == [.savedroutes])
    }

    /// What is shown of a region is what is offered of it.
    @Test func aRegionInTheStoreHasTheSameOutlines() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            var route = try Items.plannedRoute(name: "A point")
            route.coordinates = [try Items.coordinate()]
            try pair.sender.add([route], to: pair.region.id)
            let offered = try pair.sender.source(for: pair.region.id).manifest.description(as: Region.self).outlines
            #expect(offered.count == 3)
            #expect(try pair.sender.outlines(of: pair.region.id) == offered)
        }
    }

    private static func outlines(of hikes: [SavedRoute], _ routes: [PlannedRoute]) -> [Outline] {
        var selection = OutlineSelection()
        for hike in hikes { selection.add(hike) }
        for route in routes { selection.add(route) }
        return selection.outlines { id, _ in
            if let route = routes.first(where: { $0.id == id }) { return route.coordinates }
            return hikes.first { $0.id == id }.flatMap { try? TrackCodec.decode($0.trackData, startTime: nil) }?
                .map(\.coordinate)
        }
    }

    private static func track(latitude: Double) throws -> Data {
        let points = try [latitude, latitude + 0.005].map {
            TrackPoint(coordinate: try Items.coordinate($0), elevation: nil, time: nil)
        }
        return try TrackCodec.encode(points, startTime: Items.time)
    }
}
