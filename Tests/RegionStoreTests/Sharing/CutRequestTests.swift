import Foundation
import PeerProtocol
import PeerTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// A part of a map that a receiver asks for.
@Suite(.timeLimit(.minutes(10))) struct CutRequestTests {
    private static let low = CutRule(maximumZoom: 11)

    /// A part that is asked for is the one that the sender would offer of itself.
    @Test func aPartIsTheSameWhoeverWantsIt() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            let offered = try pair.sender.source(for: id, routes: .all, cut: Self.low)
            let whole = try pair.sender.source(for: id)
            let request = try CutRequest(parsing: try #require(CutRequest(Self.low).context))
            let part = try whole.cut(try whole.rule(for: request), in: pair.sender)
            #expect(part.manifest.body == offered.manifest.body)
            #expect(whole.manifest.entry(of: .mbtiles)?.digest == pair.region.mapDigest)

            try Transfers.run(part, to: pair.receiver.sink())
            let region = try pair.receiver.region(id)
            #expect(region.tileCount == 5 && region.cut?.wholeTileCount == 21 && region.waypointCount == 46)
        }
    }

    /// The part has the files of the offer also after the region was removed, and nothing stays behind.
    @Test func aPartOutlivesTheRegion() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            var part: RegionSource?
            do {
                let whole = try pair.sender.source(for: pair.region.id)
                try pair.sender.remove(pair.region.id)
                part = try whole.cut(Self.low, in: pair.sender)
            }
            try Transfers.run(try #require(part), to: pair.receiver.sink())
            part = nil
            #expect(try StoreState.files(in: pair.sender, "work").isEmpty)
            #expect(try pair.receiver.region(pair.region.id).hasRoutingData)
        }
    }

    @Test func everythingIsTheMapItself() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let whole = try pair.sender.source(for: pair.region.id)
            let part = try whole.cut(CutRule(maximumZoom: 12), in: pair.sender)
            #expect(part.manifest.body == whole.manifest.body)
            let error = #expect(throws: RegionStoreError.self) {
                try whole.cut(
                    CutRule(area: BoundingBox(north: 2, south: 1, east: 2, west: 1)),
                    in: pair.sender
                )
            }
            #expect(error?.code == .invalidArgument)
            #expect(try StoreState.files(in: pair.sender, "work").allSatisfy { !$0.contains("cut") })
        }
    }

    /// The sender may have tiles there that are not in the part that it offers.
    @Test func thatOnlyAPartIsOfferedIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            try Transfers.run(try pair.sender.source(for: id, routes: .all, cut: Self.low), to: pair.receiver.sink())
            let offered = try pair.receiver.source(for: id)
            let error = #expect(throws: RegionStoreError.self) {
                try offered.cut(
                    CutRule(area: BoundingBox(north: 2, south: 1, east: 2, west: 1)),
                    in: pair.receiver
                )
            }
            #expect(error?.message.contains("The map (which is only a part of one) has no tiles") == true)
        }
    }

    /// A name that the receiver does not have is that of a route of the offer.
    @Test func onlyOfferedRoutesAreFound() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let route = try pair.sender.plannedRoutes(of: pair.region.id)[0]
            let whole = try pair.sender.source(for: pair.region.id)
            let rule = try whole.rule(for: CutRequest(routes: [route.name.uppercased()]))
            #expect(rule.lines == [route.coordinates] && rule.names == [route.name.uppercased()])

            // A part of a name is enough if only one has it.
            let part = String(route.name.dropFirst(2).filter { $0 != " " })
            let named = try whole.rule(for: CutRequest(routes: [part]))
            #expect(named.lines == [route.coordinates] && named.names == [route.name])

            // What comes later is not in the offer.
            let gpx = directory.path("way.gpx")
            try Self.way.write(toFile: gpx, atomically: true, encoding: .utf8)
            try pair.sender.importGPX(at: gpx, into: pair.region.id)
            #expect(throws: RegionStoreError.self) { try whole.rule(for: CutRequest(routes: ["Way"])) }
            let kept = [
                try pair.sender.source(for: pair.region.id, kinds: [.mbtiles, .waypoints]),
                try pair.sender.source(
                    for: pair.region.id,
                    routes: RouteSelection(named: [try pair.sender.hikes(of: pair.region.id)[0].name])
                ),
            ]
            for (source, name) in [(kept[0], route.name), (kept[1], route.name), (whole, gpx), (whole, "3")] {
                let error = #expect(throws: RegionStoreError.self, "\(name)") {
                    try source.rule(for: CutRequest(routes: [name]))
                }
                #expect(error?.code == .notFound)
            }
        }
    }

    /// A line has as many points as an invitation can hold, and what it lacks is added to the distance.
    @Test func aLongLineIsSimplified() throws {
        let line = try (0..<20_000).map { step in
            try #require(
                Coordinate(latitude: 42 + Double(step) * 0.000_05, longitude: 1 + 0.001 * Double(step % 7) / 7)
            )
        }
        let exact = try CutRequest(CutRule(along: [line], within: 2000))
        #expect(exact.distance == 2000 && exact.lines[0].count < 2000)
        let coarse = try CutRequest(CutRule(along: [line], within: 400))
        #expect((400.0...600).contains(try #require(coarse.distance)))
        #expect(try #require(coarse.context).count <= CutRequest.maximumLength)
        // Every tile of the strip is in that of the simplified line.
        let strip = try #require(try CutRule(along: [line], within: 400).strip())
        let distance = try #require(coarse.distance)
        let wider = try #require(try CutRule(along: coarse.lines, within: distance + 1).strip())
        #expect(strip.isSubset(of: wider))
    }

    @Test func aLineThatIsTooLongIsRefused() throws {
        let line = try (0..<9000).map { step in
            try #require(Coordinate(latitude: 42 + Double(step % 2) * 0.1, longitude: Double(step) * 0.01))
        }
        let error = #expect(throws: RegionStoreError.self) {
            try CutRequest(CutRule(along: [line], within: 50))
        }
        #expect(error?.code == .invalidArgument)
    }

    /// A sender reads at most eight names, so a request with more is refused where it is typed.
    @Test func tooManyRoutesAreRefused() throws {
        let names = (1...9).map { "Route \($0)" }
        let error = #expect(throws: RegionStoreError.self) { try CutRequest(CutRule(), routes: names) }
        #expect(error?.code == .invalidArgument)
        let eight = Array(names.prefix(8))
        let context = try #require(try CutRequest(CutRule(), routes: eight).context)
        #expect(try CutRequest(parsing: context).routes == eight)

        let place = try #require(Coordinate(latitude: 42, longitude: 1))
        let lines = Array(repeating: [place], count: CutRequest.maximumLineCount + 1)
        let second = #expect(throws: RegionStoreError.self) { try CutRequest(CutRule(along: lines)) }
        #expect(second?.message == error?.message)
    }

    private static let way = """
        <gpx version="1.1"><rte><name>Way</name><rtept lat="47.1" lon="11.3"/><rtept lat="47.2" lon="11.4"/></rte></gpx>
        """
}
