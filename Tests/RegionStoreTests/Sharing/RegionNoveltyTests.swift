import Foundation
import PeerProtocol
import PeerTestSupport
import RegionModel
import Testing

@testable import RegionStore

@Suite struct RegionNoveltyTests {
    private static let day = Date(timeIntervalSince1970: 1_780_000_000)

    private static func region(_ id: UUID, map: UInt8 = 1, mapDate: Date? = day) throws -> RegionSummary {
        RegionSummary(
            id: id,
            name: "Andorra",
            boundingBox: try #require(BoundingBox(north: 42.66, south: 42.42, east: 1.79, west: 1.4)),
            zoomLevels: 8...14,
            tileCount: 10,
            plannedTileCount: 10,
            createdAt: day,
            addedAt: day,
            edition: MapEdition(date: mapDate),
            mapSize: 4096,
            mapDigest: digest(map),
            hikeCount: 0,
            plannedRouteCount: 0,
            waypointCount: 0,
            photoCount: 0,
            photoSize: 0
        )
    }

    private static func digest(_ byte: UInt8) -> ContentDigest { ContentDigest(hashing: [byte]) }

    private static func offered(
        _ id: UUID,
        map: UInt8? = 1,
        kind: ResourceKind = .mbtiles,
        mapDate: Date? = day,
        isPart: Bool = false
    ) throws -> OfferedRegion {
        var region = try region(id, map: map ?? 9, mapDate: mapDate).region
        if isPart { region.cut = CutDescription(names: ["x"], wholeTileCount: 20, wholeSize: 9000) }
        let layout = try #require(ChunkLayout(size: 4096))
        let entries = map.map {
            [ManifestEntry(name: ResourceName(kind: kind, id: id), layout: layout, digest: digest($0))]
        }
        return OfferedRegion(region, try Manifest(id: id, describing: region, entries: entries ?? []))
    }

    @Test func saysWhatItIsToTheStore() throws {
        let (id, day) = (UUID(), Self.day)
        let mine = try Self.region(id)
        func novelty(_ offered: OfferedRegion, _ regions: [RegionSummary]) -> RegionNovelty {
            RegionNovelty(of: offered, among: regions)
        }
        #expect(try novelty(Self.offered(id), []) == .new)
        #expect(try novelty(Self.offered(id), [mine]) == .same)
        // A map of another program.
        #expect(try novelty(Self.offered(id, kind: .foreign), [mine]) == .same)
        // The same map under another id.
        #expect(try novelty(Self.offered(UUID()), [mine]) == .same)
        #expect(try novelty(Self.offered(UUID(), map: 2), [mine]) == .new)
        #expect(try novelty(Self.offered(id, map: nil), [mine]) == .itemsOnly)
        let ages = { MapAges(offered: MapEdition(date: $0), local: MapEdition(date: day)) }
        #expect(try novelty(Self.offered(id, map: 2, isPart: true), [mine]) == .part(ages(day)))
        #expect(try novelty(Self.offered(id, map: 2, mapDate: day + 86_400), [mine]) == .other(ages(day + 86_400)))
        #expect(try novelty(Self.offered(id, map: 2, mapDate: nil), [mine]) == .other(ages(nil)))
    }

    /// Enter takes what is newer, and parts that are not older; never what may be older.
    @Test(
        arguments: [
            (86_400, false, true), (0, false, false), (-86_400, false, false), (nil, false, false),
            (86_400, true, true), (0, true, true), (-86_400, true, false), (nil, true, false),
        ] as [(TimeInterval?, Bool, Bool)]
    )
    func whatMayBeOlderIsNoNews(difference: TimeInterval?, isPart: Bool, isNews: Bool) throws {
        let id = UUID()
        let offered = try Self.offered(id, map: 2, mapDate: difference.map { Self.day + $0 }, isPart: isPart)
        let novelty = RegionNovelty(of: offered, among: [try Self.region(id)])
        #expect(novelty.isNews == isNews && !novelty.isHarmless)
    }

    /// When a map was imported says nothing about its age.
    @Test func timesOfImportDecideNothing() throws {
        let id = UUID()
        var offered = try Self.offered(id, map: 2, mapDate: nil)
        offered.createdAt += 900 * 86_400
        let novelty = RegionNovelty(of: offered, among: [try Self.region(id, mapDate: nil)])
        #expect(novelty == .other(MapAges(offered: MapEdition(), local: MapEdition())) && !novelty.isNews)
    }

    @Test func theFileOfAnotherProgramIsAMap() throws {
        let (id, layout) = (UUID(), try #require(ChunkLayout(size: 4096)))
        let foreign = try #require(ForeignMap(format: .osmand, fileName: "a.obf", hasArea: true))
        var mine = try Self.region(id)
        mine.foreign = foreign
        func novelty(map: UInt8, mapDate: Date) throws -> RegionNovelty {
            var region = try Self.region(id, map: map, mapDate: mapDate).region
            region.foreign = foreign
            let name = ResourceName(kind: .foreign, id: id)
            let entry = ManifestEntry(name: name, layout: layout, digest: Self.digest(map))
            let manifest = try Manifest(id: id, describing: region, entries: [entry])
            return RegionNovelty(of: OfferedRegion(region, manifest), among: [mine])
        }
        #expect(try novelty(map: 1, mapDate: Self.day) == .same)
        #expect(try novelty(map: 2, mapDate: Self.day + 86_400).isNews)
        #expect(try !novelty(map: 2, mapDate: Self.day - 86_400).isNews)
    }

    @Test func aListOfRegionsIsReadAsItWasWritten() throws {
        var long = try Self.offered(UUID())
        long.name = String(repeating: "é", count: 100)
        (long.hasArea, long.boundingBox) = (false, .earth)
        var (joined, numbered) = (try Self.offered(UUID()), try Self.offered(UUID()))
        joined.edition.newestDate = Self.day + 60
        numbered.edition = MapEdition(version: "1.2")
        let part = try Self.offered(UUID(), map: nil, mapDate: nil, isPart: true)
        let regions = [try Self.offered(UUID()), long, part, joined, numbered]
        let read = try Catalogue(parsing: try Catalogue(regions).body)
        #expect(read.regions == regions)
    }

    /// A region without an area has that of the whole earth.
    @Test func aRegionThatContradictsItselfIsLeftOut() throws {
        var regions = try [Self.offered(UUID()), Self.offered(UUID())]
        (regions[0].hasArea, regions[0].boundingBox) = (false, .earth)
        #expect(try Catalogue(regions).regions == regions)
        regions[1].hasArea = false
        #expect(try Catalogue(regions).regions == [regions[0]])
    }

    @Test func theLongestListIsNotTooLong() throws {
        let regions = try (0..<ProtocolLimits.standard.maximumCatalogueCount).map { _ in
            var region = try Self.offered(UUID())
            region.name = String(repeating: "\"", count: OfferedRegion.maximumNameLength)
            return region
        }
        #expect(try Catalogue(regions).ids.count == regions.count)
        let error = #expect(throws: ProtocolError.self) { try Catalogue(regions + [try Self.offered(UUID())]) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func namesAreCutAndAreOneLine() throws {
        let id = UUID()
        var region = try Self.region(id).region
        region.name = String(repeating: "a\n\u{1B}[31m", count: 100)
        let offered = OfferedRegion(region, try Manifest(id: id, describing: region, entries: []))
        #expect(offered.name.utf8.count <= OfferedRegion.maximumNameLength)
        #expect(!offered.name.contains("\n"))
    }

    @Test func aRegionIsFoundByItsName() throws {
        var regions = [try Self.offered(UUID()), try Self.offered(UUID())]
        regions[1].name = "Coma Pedrosa"
        #expect(RegionStore.offered(regions, matching: "andorra") == [regions[0]])
        #expect(RegionStore.offered(regions, matching: "pedr") == [regions[1]])
        #expect(RegionStore.offered(regions, matching: regions[0].id.uuidString) == [regions[0]])
        #expect(RegionStore.offered(regions, matching: "x").isEmpty)
        #expect(RegionStore.offered(regions, matching: "").isEmpty)
    }
}
