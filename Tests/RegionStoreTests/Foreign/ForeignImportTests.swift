import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Maps of other programs, which are carried as they are.
@Suite(.timeLimit(.minutes(10))) struct ForeignImportTests {
    private static let samples: [(ForeignFormat, String, [UInt8])] = [
        (.osmand, "Andorra_europe_2.obf", ForeignBytes.osmand()), (.mapsforge, "andorra.map", ForeignBytes.mapsforge()),
        (.garmin, "gmapsupp.IMG", ForeignBytes.garmin()), (.organicmaps, "Andorra.mwm", ForeignBytes.organicMaps()),
    ]

    static func write(_ bytes: [UInt8], _ name: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    @Test func aFileIsRecognisedByItsNameAndItsHeader() async throws {
        try await TemporaryDirectory.with { directory in
            for (format, name, bytes) in Self.samples {
                let path = try Self.write(bytes, name, in: directory)
                #expect(try InputFile(lookingAt: path).kind == .foreign(format))
                // A phone gives the name, and the file has another one here.
                #expect(try InputFile(lookingAt: name, at: path).kind == .foreign(format))
                let renamed = try Self.write(bytes, name + ".bin", in: directory)
                #expect(throws: RegionStoreError.self) { try InputFile(lookingAt: renamed) }
                #expect(try InputFile(lookingAt: renamed, isInFolder: true).kind == .other)
                #expect(try InputFile(lookingAt: renamed, isForeign: true).kind == .foreign(.other))
                let other = try Self.write(Array("OziExplorer Map Data File".utf8), "x-" + name, in: directory)
                #expect(throws: RegionStoreError.self) { try InputFile(lookingAt: other) }
                #expect(ImportKind(fileName: name) == .foreign(format))
            }
            let folder = try InputFile.all([directory.path("")], arguments: [], areForeign: true)
            #expect(folder.count { $0.kind.foreignFormat != nil } == 4)
        }
    }

    @Test func theHeaderSaysWhatItIs() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let names = ["Andorra europe", "andorra", "Andorra Topo", "Andorra"]
            for ((format, name, bytes), regionName) in zip(Self.samples, names) {
                let path = try Self.write(bytes, name, in: directory)
                let stored = try store.importForeign(at: path, as: format)
                #expect(stored.isNew && !stored.isUpdate)
                let region = stored.region
                #expect(region.name == regionName)
                #expect(region.mapDate == ForeignBytes.day)
                #expect(region.mapSize == UInt64(bytes.count))
                #expect(region.hasArea && region.boundingBox != .earth)
                #expect(region.zooms.isEmpty && region.tileCount == 0 && region.format == nil)
                let isNoted = region.attribution == "Map data © OpenStreetMap contributors"
                #expect(isNoted == (format == .mapsforge))
                let foreign = try #require(region.foreign)
                #expect(foreign.format == format && foreign.fileName.lowercased() == name.lowercased())
                // Once more, it is the same region; a name that was given does not change it.
                let again = try store.importForeign(at: path, as: format, name: "Other")
                #expect(!again.isNew && !again.isUpdate && again.region == region)
            }
            #expect(try store.regions().count == 4)
            // Opening the store again reads it as it was, and computes nothing.
            #expect(try RegionStore(path: directory.path("store")).regions() == store.regions())
        }
    }

    @Test func anyFileThatAPersonNamesIsTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let path = try Self.write(Array("BSB chart".utf8), "Chart of the lake.kap", in: directory)
            let region = try store.importForeign(at: path, as: .other).region
            #expect(region.name == "Chart of the lake")
            #expect(region.foreign?.fileName == "Chart of the lake.kap")
            #expect(!region.hasArea && region.boundingBox == .earth)
            let target = directory.path("out.kap")
            try store.exportMap(of: region.id, to: target)
            #expect(try Data(contentsOf: URL(filePath: target)) == Data("BSB chart".utf8))
            let files = try ExportFile.plan(region, parts: [], folder: "dir")
            #expect(files == [ExportFile(content: .map, path: "dir/Chart of the lake.kap")])
            // A file that is called like the one with the items does not take its place.
            let stem = ExportFileName.stem(for: "Track")
            let track = try Self.write(Array("track".utf8), stem + ".gpx", in: directory)
            let id = try store.importForeign(at: track, as: .other, name: "Track").region.id
            try store.add([try Items.waypoint(label: "Hut", note: "")], to: id)
            let paths = try ExportFile.plan(store.region(id), parts: [], folder: "dir").map(\.path)
            #expect(paths == ["dir/\(stem).gpx", "dir/\(stem)-2.gpx"])
        }
    }

    @Test func aFileOfAnotherKindOrAPartOfOneIsRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let half = try Self.write(Array(ForeignBytes.mapsforge().dropLast(100)), "half.map", in: directory)
            #expect(throws: RegionStoreError.self) { try store.importForeign(at: half, as: .mapsforge) }
            let empty = try Self.write([], "empty.bin", in: directory)
            #expect(throws: RegionStoreError.self) { try store.importForeign(at: empty, as: .other) }
            #expect(try store.regions().isEmpty)
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    @Test func aNewerFileReplacesTheOlderOne() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let path = try Self.write(ForeignBytes.mapsforge(), "andorra.map", in: directory)
            let id = try store.importForeign(at: path, as: .mapsforge, name: "Mine").region.id
            try store.add([try Items.waypoint(label: "Hut", note: "")], to: id)
            let newer = try Self.write(ForeignBytes.mapsforge(rest: 5000), "andorra.map", in: directory)
            let stored = try store.importForeign(at: newer, as: .mapsforge, updating: id)
            #expect(stored.isUpdate && !stored.isNew)
            #expect(stored.region.id == id && stored.region.name == "Mine" && stored.region.waypointCount == 1)
            #expect(try StoreState.files(in: store, "regions/\(id.uuidString)").count == 1)

            let other = try Self.write(ForeignBytes.osmand(), "a.obf", in: directory)
            #expect(throws: RegionStoreError.self) { try store.importForeign(at: other, as: .osmand, updating: id) }
            let tiles = directory.path("a.mbtiles")
            try MapFile.small().write(to: tiles)
            #expect(throws: RegionStoreError.self) { try store.importMap(at: tiles, updating: id) }
            #expect(try store.region(id) == stored.region)
            // A map with tiles of the same area is a region of its own, and no newer version.
            #expect(try store.prepareMap(at: tiles).olderVersion() == nil)
            // Nothing of it stays when the region is removed.
            try store.remove(id)
            #expect(try StoreState.files(in: store, "regions").isEmpty)
        }
    }

    @Test func whatNeedsTilesIsRefusedWithWords() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let path = try Self.write(ForeignBytes.osmand(), "a.obf", in: directory)
            let id = try store.importForeign(at: path, as: .osmand).region.id
            func expectRefusal(_ body: () throws -> Void) {
                do {
                    try body()
                    Issue.record("it was not refused")
                } catch let error as RegionStoreError {
                    #expect(error.code == .invalidArgument && error.message.contains("does not draw"))
                } catch {
                    Issue.record(error)
                }
            }
            let address = try #require(TileAddress(zoomLevel: 1, column: 0, row: 0))
            expectRefusal { _ = try store.tile(address, of: id) }
            expectRefusal { _ = try store.writeOsmAndMap(of: id, to: directory.path("a.sqlitedb")) }
            let wish = CutRule(maximumZoom: 5)
            expectRefusal { _ = try store.cut(wish, of: try store.region(id)) }
            expectRefusal { _ = try store.source(for: id, routes: .all, cut: wish) }
        }
    }

    @Test func tracksGoToAMapWhoseAreaIsKnownOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let path = try Self.write(Array("x".utf8), "x.kap", in: directory)
            try store.importForeign(at: path, as: .other)
            let gpx = """
                <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
                <wpt lat="42.5" lon="1.6"><name>Hut</name></wpt></gpx>
                """
            let track = try Self.write(Array(gpx.utf8), "hut.gpx", in: directory)
            #expect(throws: RegionStoreError.self) { try store.importGPX(at: track) }
            let map = try Self.write(ForeignBytes.mapsforge(), "a.map", in: directory)
            let id = try store.importForeign(at: map, as: .mapsforge).region.id
            #expect(try store.importGPX(at: track).region.id == id)
        }
    }

    @Test func aMapProgramOfTheDesktopGetsTheFileUnderItsName() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let bytes = ForeignBytes.garmin()
            let path = try Self.write(bytes, "gmapsupp.img", in: directory)
            let id = try store.importForeign(at: path, as: .garmin).region.id
            let folder = try store.updateDesktopFolder(of: id, named: "x", in: directory.path("cache"))
            #expect(folder.files == ["gmapsupp.img"] && folder.isNew)
            #expect(try Data(contentsOf: URL(filePath: folder.path(of: folder.map))) == Data(bytes))
            #expect(try !store.updateDesktopFolder(of: id, named: "x", in: directory.path("cache")).isNew)
            #expect(RegionStore.removeDesktopFolder(of: id, in: directory.path("cache")) == .removed)
        }
    }
}
