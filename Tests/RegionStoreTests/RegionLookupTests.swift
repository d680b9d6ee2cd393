import Foundation
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct RegionLookupTests {
    @Test func findsARegionByNameOrId() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let start = String(region.id.uuidString.prefix(6))
            for text in ["Nordkette", "NORDKETTE", start, start.lowercased(), region.id.uuidString] {
                #expect(try store.region(matching: text).id == region.id)
            }
            for text in ["kette", "", " ", String(start.prefix(3)), "%"] {
                let error = try #require(throws: RegionStoreError.self) { try store.region(matching: text) }
                #expect(error.code == .notFound)
            }
        }
    }

    @Test func aPartOfTheNameIsEnoughIfItMeansOne() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            for (index, name) in ["Coma Pedrosa", "Comapedrosa (Süd)", "Nordkette", "Coma"].enumerated() {
                let path = directory.path("\(index).mbtiles")
                try MapFile.small(seed: UInt64(index) + 1).write(to: path)
                try store.importMap(at: path, name: name)
            }
            let meanings = [
                "coma": "Coma", "coma ": "Coma Pedrosa", "COMAP": "Comapedrosa (Süd)", "ped": "Coma Pedrosa",
                "süd": "Comapedrosa (Süd)", "N": "Nordkette",
            ]
            for (text, name) in meanings { #expect(try store.region(matching: text).name == name, "\(text)") }
            let several = try #require(throws: RegionStoreError.self) { try store.region(matching: "com") }
            #expect(several.code == .ambiguous)
            for name in ["Coma Pedrosa", "Comapedrosa (Süd)", "Coma ("] { #expect(several.message.contains(name)) }
            for text in ["kette", "("] {
                let error = try #require(throws: RegionStoreError.self) { try store.region(matching: text) }
                #expect(error.code == .notFound)
            }
            for text in ["pedrosa", "com", "nordkett"] {
                let error = try #require(throws: RegionStoreError.self) {
                    try store.region(matching: text, isExact: true)
                }
                #expect(error.code == .notFound)
            }
            #expect(try store.region(matching: "NORDKETTE", isExact: true).name == "Nordkette")
            let part = #expect(throws: RegionStoreError.self) { try store.region(matching: "nord", isExact: true) }
            #expect(part?.message == "“nord” is only a part of the name of a region.")
            let none = #expect(throws: RegionStoreError.self) { try store.region(matching: "Tatra", isExact: true) }
            #expect(none?.message == "There is no region “Tatra” in this store.")
        }
    }

    @Test func aNameThatTwoRegionsShareIsAmbiguous() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, first) = try RegionStoreTests.store(in: directory)
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles"))
            let second = try store.importMap(at: directory.path("b.mbtiles")).region
            let error = try #require(throws: RegionStoreError.self) { try store.region(matching: "nordkette") }
            #expect(error.code == .ambiguous)
            #expect(error.message.contains(first.id.uuidString))
            #expect(error.message.contains(second.id.uuidString))
            #expect(try store.region(matching: second.id.uuidString) == second)
        }
    }

    @Test func findsTheSmallestRegionThatHoldsMostPlaces() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, small) = try RegionStoreTests.store(in: directory)
            var large = MapFile.small(seed: 2).without("bounds")
            large.metadata.append(("bounds", "9,46,13,48"))
            for column in 33...34 {
                large.tiles.append(MapFile.Tile(zoomLevel: 6, column: column, row: 41, data: large.tiles[0].data))
            }
            try large.write(to: directory.path("b.mbtiles"))
            let other = try store.importMap(at: directory.path("b.mbtiles"), name: "Tirol").region
            let (near, far) = (try Items.coordinate(), try Items.coordinate(46.5, 10))
            func places(_ coordinates: [Coordinate], in regions: [RegionSummary]) -> ItemPlaces {
                let waypoints = coordinates.map { Waypoint(id: UUID(), coordinate: $0, time: Items.time, label: "") }
                return ItemPlaces(TrackDocument(waypoints: waypoints), in: regions, known: [:], preferring: nil)
            }
            let regions = try store.regions()
            #expect(places([near], in: regions).parts.map(\.region.id) == [small.id])
            // Items stay together where they can.
            #expect(places([near, far], in: regions).parts.map(\.region.id) == [other.id])
            let zero = try Items.coordinate(0, 0)
            #expect(places([zero], in: regions).parts.isEmpty)
            let some = places([near, far, far, far], in: [small])
            #expect(
                some.parts.map(\.document.waypoints.count) == [1] && some.outside.count == 3 && some.most?.count == 1
            )
        }
    }
}
