import Foundation
import GRDB
import Glibc
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct ExportTests {
    @Test(arguments: ["Möslälmähütte", "山小屋", "e\u{301}", "plain"])
    func aFileLandsInItsFolderWhateverItIsCalled(name: String) async throws {
        try await TemporaryDirectory.with { directory in
            for folder in ["out", "höhe"] {
                let path = directory.path(folder)
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                try FileExport.write(to: path + "/" + name) { (file) throws(SystemError) in try file.write([1]) }
                #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [name])
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["höhe", "out"])
        }
    }

    @Test func nothingIsOverwritten() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try store.add([try Items.waypoint()], to: region.id)
            let path = directory.path("there")
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            for export in [
                { try store.exportMap(of: region.id, to: path) }, { try store.exportGPX(of: region.id, to: path) },
            ] {
                let error = try #require(throws: RegionStoreError.self) { try export() }
                #expect(error.code == .conflict)
                #expect(error.message.contains(path))
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            #expect(names == ["a.mbtiles", "store", "there"])
        }
    }

    @Test func aFileThatAppearsMeanwhileIsLeftAlone() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("out.gpx")
            let error = try #require(throws: RegionStoreError.self) {
                try FileExport.write(to: path) { (file) throws(SystemError) in
                    try file.write([1])
                    let other = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
                    try other.write(Array("mine".utf8))
                }
            }
            #expect(error.code == .conflict)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["out.gpx"])
        }
    }

    @Test func whatCannotBeReadKeepsNothingElseHere() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try store.add([try Items.hike(name: "Broken track"), try Items.hike(name: "Good")], to: region.id)
            try store.add([try Items.plannedRoute(name: "Broken route"), try Items.plannedRoute()], to: region.id)
            try store.add([try Items.waypoint()], to: region.id)
            try store.database.write { database in
                try database.execute(sql: "UPDATE hike SET trackData = x'010203' WHERE name = 'Broken track'")
                try database.execute(
                    sql: "UPDATE plannedRoute SET coordinates = '[{}]' WHERE name = 'Broken route'"
                )
            }
            let export = try store.exportGPX(of: region.id, to: directory.path("out.gpx"))
            #expect(
                export.leftOut == ["the planned route “Broken route”", "the track of the hike “Broken track”"]
            )
            let document = try TrackFileReader().read(contentsOf: directory.path("out.gpx"))
            #expect(Set(document.savedRoutes.map(\.name)) == ["Broken track", "Good"])
            #expect(document.plannedRoutes.map(\.name) == ["Zum Hafelekar"])
            #expect(document.waypoints.count == 1)
            // What is sent is what can be read there, too.
            let other = try RegionStore(path: directory.path("other"))
            try Transfers.run(try store.source(for: region.id), to: other.sink())
            #expect(try other.hikes(of: region.id).map(\.name) == ["Good"])
            #expect(try other.plannedRoutes(of: region.id).map(\.name) == ["Zum Hafelekar"])
        }
    }

    @Test func aPlannedRouteWithoutALineIsExported() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            var route = try Items.plannedRoute()
            route.coordinates = []
            try store.add([route], to: region.id)
            try store.exportGPX(of: region.id, to: directory.path("out.gpx"))
            #expect(try TrackFileReader().read(contentsOf: directory.path("out.gpx")).plannedRoutes.count == 1)
        }
    }

    @Test func whatIsImportedCanBeSent() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            // Together more than a list may have, each file by itself less.
            let note = String(repeating: "x", count: 99_000)
            func document(_ count: Int) throws -> TrackDocument {
                TrackDocument(
                    waypoints: try (0..<count).map { _ in try Items.waypoint(label: UUID().uuidString, note: note) }
                )
            }
            try store.importGPX(try document(170), into: region.id)
            let error = try #require(throws: RegionStoreError.self) {
                try store.importGPX(try document(170), into: region.id)
            }
            #expect(error.message.contains("at most 32 MiB"), "\(error.message)")
            #expect(try store.waypoints(of: region.id).count == 170)
            _ = try store.source(for: region.id)
        }
    }

    @Test func aFolderThatIsNotThereIsAnError() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try store.exportMap(of: region.id, to: directory.path("none/a.mbtiles"))
            }
            #expect(error.code == .storage)
            #expect(error.message.hasSuffix("the folder \(directory.path("none")) does not exist."), "\(error.message)")
            #expect(error.remedy == "Create the folder first, or choose another one.")
            try FileManager.default.createDirectory(atPath: directory.path("none"), withIntermediateDirectories: false)
            try store.exportMap(of: region.id, to: directory.path("none/a.mbtiles"))
        }
    }

    @Test func routingIsExportedAsItWasImported() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try store.exportRouting(of: region.id, to: directory.path("out.db"))
            }
            #expect(error.code == .notFound)
            try RoutingFixture().write(to: directory.path("r.db"))
            let updated = try store.importRouting(at: directory.path("r.db"), into: region.id)
            #expect(updated.hasRoutingData)
            try store.exportRouting(of: region.id, to: directory.path("out.db"))
            #expect(
                FileManager.default.contentsEqual(atPath: directory.path("r.db"), andPath: directory.path("out.db"))
            )
        }
    }

    @Test func gpxGoesOutAndInAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            #expect(throws: RegionStoreError.self) {
                try store.exportGPX(of: region.id, to: directory.path("none.gpx"))
            }
            try store.add([try Items.waypoint(label: "Hütte & Wirt", note: "<warm>")], to: region.id)
            try store.add([try Items.plannedRoute()], to: region.id)
            try store.exportGPX(of: region.id, to: directory.path("out.gpx"))

            // Without saying which region: the area decides.
            let other = try RegionStore(path: directory.path("other"))
            let error = try #require(throws: RegionStoreError.self) {
                try other.importGPX(at: directory.path("out.gpx"))
            }
            #expect(error.code == .notFound)
            let id = try other.importMap(at: directory.path("a.mbtiles")).region.id
            let first = try other.importGPX(at: directory.path("out.gpx"))
            #expect(first.region.id == id)
            #expect(first.waypoints.added == 1)
            #expect(first.plannedRoutes.added == 1)
            #expect(first.region.waypointCount == 1)
            let waypoint = try #require(try other.waypoints(of: id).first)
            #expect(waypoint.label == "Hütte & Wirt")
            #expect(waypoint.note == "<warm>")
            #expect(waypoint.category == .shelter)
            #expect(try other.plannedRoutes(of: id).first?.coordinates.count == 3)

            // The same file again changes nothing, not even what was edited since.
            var edited = waypoint
            edited.note = "closed"
            edited.modifiedAt = waypoint.time + 1
            try other.add([edited], to: id)
            let second = try other.importGPX(at: directory.path("out.gpx"))
            #expect(second.waypoints.keptLocal == 1 && second.waypoints.total == 1)
            #expect(second.plannedRoutes == MergeCounts(unchanged: 1))
            #expect(try other.waypoints(of: id) == [edited])
        }
    }
}

extension MergeCounts {
    init(unchanged: Int) {
        self.init()
        self.unchanged = unchanged
    }
}
