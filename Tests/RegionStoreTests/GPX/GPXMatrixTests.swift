import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Files in the forms of many programs: what goes in comes out, also on another machine.
@Suite struct GPXMatrixTests {
    /// Two stores that have the same map.
    private struct World {
        var first: RegionStore
        var second: RegionStore
        var region: UUID
        var directory: TemporaryDirectory

        func file(_ shape: GPXShape) throws -> String {
            let path = directory.path("shape.gpx")
            try shape.data.write(to: URL(fileURLWithPath: path))
            return path
        }

        func export(_ store: RegionStore) throws -> Data {
            let path = directory.path(UUID().uuidString + ".gpx")
            #expect(try store.exportGPX(of: region, to: path).leftOut == [])
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(GPXStructure.faults(in: data) == [])
            return data
        }

        func send(_ kinds: Set<ResourceKind>? = nil, includeHealth: Bool) throws {
            try Transfers.run(
                try first.source(for: region, kinds: kinds, includeHealth: includeHealth),
                to: second.sink()
            )
        }
    }

    private func withWorld(_ body: (World) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let (first, region) = try RegionStoreTests.store(in: directory)
            let second = try RegionStore(path: directory.path("second"))
            try body(World(first: first, second: second, region: region.id, directory: directory))
        }
    }

    private func counts(_ imported: GPXImport) -> [Int] {
        [imported.hikes.total, imported.plannedRoutes.total, imported.waypoints.total]
    }

    private func added(_ imported: GPXImport) -> Int {
        imported.hikes.added + imported.plannedRoutes.added + imported.waypoints.added
    }

    @Test(arguments: GPXShape.all)
    func comesOutAsItWentInAlsoOnAnotherMachine(shape: GPXShape) async throws {
        try await withWorld { world in
            let original = GPXFacts(shape.data)
            let imported = try world.first.importGPX(at: try world.file(shape), into: world.region)
            #expect(counts(imported) == shape.counts)
            #expect(added(imported) == shape.counts.reduce(0, +))
            #expect(imported.leftOut == shape.leftOut)
            #expect(original.count == shape.counts.reduce(0, +))

            try expectSame(GPXFacts(try world.export(world.first)).items, named(original.items))
            try world.send(includeHealth: true)
            try expectSame(GPXFacts(try world.export(world.second)).items, named(original.items))
        }
    }

    @Test(arguments: GPXShape.all)
    func valuesOfSensorsAreSentOnlyWithHealthData(shape: GPXShape) async throws {
        try await withWorld { world in
            let original = GPXFacts(shape.data)
            try world.first.importGPX(at: try world.file(shape), into: world.region)
            let source = try world.first.source(for: world.region)
            let hasSensors = original.withoutSensors != original.items
            #expect(source.personal.withheldHealthRecords == (hasSensors ? 1 : 0))
            #expect(source.personal.healthRecords == 0)
            try world.send(includeHealth: false)
            let received = GPXFacts(try world.export(world.second)).items
            try expectSame(received, named(original.withoutSensors))
            // What came without them does not erase them.
            let back = try world.second.source(for: world.region, includeHealth: true)
            try Transfers.run(back, to: world.first.sink())
            try expectSame(GPXFacts(try world.export(world.first)).items, named(original.items))
        }
    }

    @Test(arguments: GPXShape.all)
    func importingWhatIsHereChangesNothing(shape: GPXShape) async throws {
        try await withWorld { world in
            try world.first.importGPX(at: try world.file(shape), into: world.region)
            let before = try items(of: world.first, world.region)
            let exported = try world.export(world.first)

            // The file itself, our own export, and our export after another program has removed what it does not know.
            let stripped = String(decoding: exported, as: UTF8.self).replacing(/<hikeshare:[^>]*>/, with: "")
            for data in [shape.data, exported, Data(stripped.utf8)] {
                let path = world.directory.path("again.gpx")
                try data.write(to: URL(fileURLWithPath: path))
                let again = try world.first.importGPX(at: path, into: world.region)
                #expect(added(again) == 0)
                #expect(counts(again) == shape.counts)
                #expect(try items(of: world.first, world.region) == before)
            }
            // Another store has the same items after an import of the export.
            try world.send([.mbtiles], includeHealth: false)
            let path = world.directory.path("other.gpx")
            try exported.write(to: URL(fileURLWithPath: path))
            try world.second.importGPX(at: path, into: world.region)
            #expect(try world.export(world.second) == exported)
        }
    }

    @Test func theFilesOfTheMatrixHaveWhatTheyAreFor() {
        let segments = GPXFacts(GPXShape.garmin.data).items.map(\.segments.count)
        #expect(segments.sorted() == [1, 2])
        #expect(GPXFacts(GPXShape.openTracks.data).items.first?.segments.map(\.count) == [2, 1])
        #expect(GPXFacts(GPXShape.gpx10.data).items.contains { $0.links == [["http://example.org/1", "One", ""]] })
    }

    // MARK: Helpers

    private func items(of store: RegionStore, _ id: UUID) throws -> [AnyHashable] {
        try store.hikes(of: id).map { AnyHashable($0) } + store.plannedRoutes(of: id).map { AnyHashable($0) }
            + store.waypoints(of: id).map { AnyHashable($0) }
    }

    /// An item without a name is named after its file, on one line.
    private func named(_ items: Set<GPXFacts.Item>) -> Set<GPXFacts.Item> {
        Set(
            items.map { item in
                var item = item
                if item.element != "wpt", item.texts["name"] == nil { item.texts["name"] = "shape" }
                return item
            }
        )
    }

    private func expectSame(_ found: Set<GPXFacts.Item>, _ expected: Set<GPXFacts.Item>) throws {
        #expect(
            found == expected,
            "missing: \(expected.subtracting(found)), unexpected: \(found.subtracting(expected))"
        )
    }
}
