import Foundation
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// To what the files belong that say it only by their names and positions.
@Suite(.timeLimit(.minutes(10))) struct PlacesTests {
    @Test(arguments: [true, false]) func thePositionOfAPhotoIsRead(isBigEndian: Bool) throws {
        let innsbruck = EXIFPosition.find(in: EXIFPhoto.bytes(at: (47, 12), (11, 24), isBigEndian: isBigEndian))
        #expect(innsbruck == Coordinate(latitude: 47.2, longitude: 11.4))
        let south = EXIFPhoto.bytes(at: (33, 54), (18, 24), letters: ("S", "W"), isBigEndian: isBigEndian)
        #expect(EXIFPosition.find(in: south) == Coordinate(latitude: -33.9, longitude: -18.4))
        // Cameras without a position write zeros.
        #expect(EXIFPosition.find(in: EXIFPhoto.bytes(at: (0, 0), (0, 0))) == nil)
        #expect(EXIFPosition.find(in: EXIFPhoto.bytes(at: (91, 0), (0, 0))) == nil)
    }

    /// Each mark may lead to a long search, so their number is limited.
    @Test func aFewMarksOfEXIFDataAreLookedAt() {
        let photo = EXIFPhoto.bytes(at: (47, 12), (11, 24))
        func marks(_ count: Int) -> [UInt8] {
            (0..<count).flatMap { _ in Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 0] }
        }
        #expect(EXIFPosition.find(in: marks(14) + photo) != nil)
        #expect(EXIFPosition.find(in: marks(16) + photo) == nil)
    }

    /// Whatever is cut or damaged, there is a position or none, and no crash.
    @Test func damagedPhotosHaveNoPosition() {
        let photo = EXIFPhoto.bytes(at: (47, 12), (11, 24))
        for length in photo.indices { #expect(EXIFPosition.find(in: Array(photo[..<length])) == nil) }
        for index in photo.indices {
            for byte: UInt8 in [0, 0x7F, 0xFF] {
                var damaged = photo
                damaged[index] = byte
                _ = EXIFPosition.find(in: damaged)
            }
        }
    }

    @Test func aPhotoFindsItsWaypointByLinkNameOrPosition() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            var waypoints = try ["Pfeishütte", "Font de la Coma", "Bergisel", "Bergisel"].map {
                try Items.waypoint(label: $0)
            }
            waypoints[1].coordinate = try Items.coordinate(47.25, 11.5)
            waypoints[2].coordinate = try Items.coordinate(47.3, 11.5)
            waypoints[3].coordinate = try Items.coordinate(47.35, 11.5)
            var words = ItemWords()
            words.links = [ItemLink(address: "photos/my%20hut.jpg")]
            waypoints[0].supplement.words = words
            try store.add(waypoints, to: region.id)
            let places = try PhotoPlaces(of: [region], in: store)
            func found(_ name: String, _ bytes: [UInt8] = [0xFF, 0xD8, 0xFF]) throws -> [UUID] {
                let path = directory.path("photo")
                try Data(bytes).write(to: URL(filePath: path))
                return places.places(ofPhotoAt: path, called: name).map(\.waypoint.id)
            }
            let position = EXIFPhoto.bytes(at: (47, 15), (11, 30))
            #expect(try found("a/my hut.jpg", position) == [waypoints[0].id])
            #expect(try found("a/font-de-la-coma.JPG") == [waypoints[1].id])
            #expect(try found("Nordkette-Font-de-la-Coma.jpg") == [waypoints[1].id])
            #expect(try Set(found("bergisel.jpg")) == [waypoints[2].id, waypoints[3].id])
            #expect(try found("IMG_1.jpg", position) == [waypoints[1].id])
            #expect(try found("IMG_1.jpg", EXIFPhoto.bytes(at: (47, 16), (11, 30))).isEmpty)
            #expect(try found("IMG_1.jpg").isEmpty)
        }
    }

    @Test func aRoutingDatabaseFindsItsMap() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles"))
            let other = try store.importMap(at: directory.path("b.mbtiles"), name: "Karwendel").region
            func take(_ name: String, beside maps: [NameKey: UUID] = [:]) throws -> (region: RegionSummary, isNew: Bool)
            {
                try store.importRouting(at: directory.path(name), called: directory.path(name), beside: maps)
            }
            for name in ["b.routing.db", "karwendel.db"] { try RoutingFixture().write(to: directory.path(name)) }
            let beside = [NameKey(ofFile: directory.path("B.mbtiles")): other.id]
            let first = try take("b.routing.db", beside: beside)
            #expect(first.region.id == other.id && first.isNew && first.region.hasRoutingData)
            #expect(try take("b.routing.db", beside: beside).isNew == false)
            _ = try store.remove(other.id)
            let again = try store.importMap(at: directory.path("b.mbtiles"), name: "Karwendel").region
            #expect(try take("karwendel.db").region.id == again.id)
            #expect(try store.region(region.id).routingSize == nil)
            try RoutingFixture(bounds: "1.4,42.4,1.8,42.6").write(to: directory.path("far.db"))
            let before = try StoreState(of: store)
            let error = #expect(throws: RegionStoreError.self) { try take("far.db", beside: beside) }
            #expect(error?.code == .notFound)
            #expect(try StoreState(of: store) == before)
        }
    }

    @Test func waypointsAreGroupedByCategoryWithTheirNumbers() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let kinds: [(String, WaypointCategory)] = [
                ("other", .custom), ("b", .waterSource), ("hut", .shelter), ("A", .waterSource),
            ]
            for (index, kind) in kinds.enumerated() {
                var waypoint = try Items.waypoint(label: kind.0)
                waypoint.category = kind.1
                waypoint.time += Double(index)
                try store.add([waypoint], to: region.id)
            }
            let grouped = try store.briefItems(of: region.id, byCategory: true).items(.waypoint, 0..<4)
            #expect(grouped.map(\.position) == [2, 3, 1, 0])
            #expect(try store.briefItems(of: region.id).items(.waypoint, 0..<4).map(\.position) == [0, 1, 2, 3])
        }
    }
}
