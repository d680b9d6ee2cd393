import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// The folders that map programs of a desktop open.
@Suite(.timeLimit(.minutes(10))) struct DesktopFolderTests {
    @Test func theFolderHasTheRegion() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try store.add([try Items.waypoint(label: "Hütte")], to: region.id)
            let parent = directory.path("cache/open")
            let folder = try store.updateDesktopFolder(of: region.id, named: "Nordkette", in: parent)
            #expect(folder.path == parent + "/" + region.id.uuidString && folder.isNew && folder.leftOut.isEmpty)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == [".state"] + folder.files.sorted())
            #expect(folder.files == ["Nordkette.mbtiles", "Nordkette.gpx"])
            let gpx = try TrackFileReader().read(contentsOf: folder.path(of: "Nordkette.gpx"))
            #expect(gpx.waypoints.map(\.label) == ["Hütte"])
            let others = try FileManager.default.contentsOfDirectory(atPath: parent)
            #expect(others.filter { !$0.hasPrefix(".lock-") } == [region.id.uuidString])
        }
    }

    /// A program that writes to its map must not change the store's.
    @Test func theMapIsAFileOfItsOwnThatOnlyTheUserReads() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let folder = try store.updateDesktopFolder(of: region.id, named: "a", in: directory.path("cache"))
            let map = folder.path(of: folder.map)
            #expect(FileManager.default.contentsEqual(atPath: map, andPath: directory.path("a.mbtiles")))
            let attributes = try FileManager.default.attributesOfItem(atPath: map)
            #expect(attributes[.posixPermissions] as? Int == 0o400 && attributes[.referenceCount] as? Int == 1)
            for path in [directory.path("cache"), folder.path] {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                #expect(mode as? Int == 0o700)
            }
        }
    }

    @Test func theFolderIsWrittenAnewWhenTheRegionHasChanged() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let parent = directory.path("cache")
            let first = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            #expect(first.gpx == nil && first.isNew)
            // What a program has written there stays while the region is the same.
            let notes = URL(fileURLWithPath: first.path(of: "notes.txt"))
            try Data("mine".utf8).write(to: notes)
            var second = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            #expect(!second.isNew)
            #expect(try Data(contentsOf: notes) == Data("mine".utf8))
            second.isNew = true
            #expect(second == first)

            let open = try #require(FileHandle(forReadingAtPath: first.path(of: first.map)))
            // A person has made a folder in it, which is not removed.
            let kept = first.path(of: "kept")
            try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: false)
            try store.add([try Items.waypoint()], to: region.id)
            let third = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            #expect(third.isNew && third.path == first.path && third.gpx == "a.gpx")
            #expect(!FileManager.default.fileExists(atPath: notes.path))
            let old = try FileManager.default.contentsOfDirectory(atPath: parent).filter { $0.hasPrefix(".old-") }
            #expect(old.count == 1)
            // A program that still shows the old map can read it.
            #expect(try open.readToEnd()?.count == Int(region.mapSize))
            try open.close()

            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles")).close()
            _ = try store.importMap(at: directory.path("b.mbtiles"), updating: region.id)
            let fourth = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            #expect(fourth.isNew)
            let map = fourth.path(of: fourth.map)
            #expect(FileManager.default.contentsEqual(atPath: map, andPath: directory.path("b.mbtiles")))
        }
    }

    @Test func nothingOfARemovedRegionStays() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try store.add([try Items.waypoint()], to: region.id)
            let parent = directory.path("cache")
            func remove(onlyItems: Bool = false) -> DesktopFolder.Removal {
                RegionStore.removeDesktopFolder(of: region.id, onlyItems: onlyItems, in: parent)
            }
            #expect(remove() == .none)
            let folder = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            #expect(remove(onlyItems: true) == .removed)
            #expect(FileManager.default.fileExists(atPath: folder.path(of: folder.map)))
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "a.gpx")))
            #expect(remove() == .removed)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
            #expect(try store.updateDesktopFolder(of: region.id, named: "a", in: parent).gpx == "a.gpx")
        }
    }

    /// A person may have saved an edit where the map program has opened the file.
    @Test func whatWasChangedOrAddedSinceStays() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try store.add([try Items.waypoint()], to: region.id)
            let parent = directory.path("cache")
            let folder = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path(of: "a.gpx")))
            try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path(of: "notes.txt")))
            #expect(RegionStore.removeDesktopFolder(of: region.id, in: parent) == .kept(folder: folder.path))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.gpx", "notes.txt"]
            )
        }
    }

    /// A process that was killed leaves what it has begun, and maybe the folder that it has moved away.
    @Test func whatAKilledProcessLeavesIsReplaced() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let parent = directory.path("cache")
            let id = region.id.uuidString
            for name in [".new-", ".old-"] {
                let path = parent + "/" + name + id
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/a.mbtiles"))
            }
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: parent)
            let folder = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            let map = folder.path(of: folder.map)
            #expect(FileManager.default.contentsEqual(atPath: map, andPath: directory.path("a.mbtiles")))
            #expect(try FileManager.default.contentsOfDirectory(atPath: parent).sorted() == [".lock-" + id, id])
        }
    }

    @Test func aFailureKeepsTheFolderAsItWas() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let parent = directory.path("cache")
            let folder = try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            try store.add([try Items.waypoint()], to: region.id)
            let file = "\(store.path)/regions/\(region.id.uuidString)/\(region.mapDigest.hex).mbtiles"
            #expect(truncate(file, 4096) == 0)
            #expect(throws: RegionStoreError.self) {
                try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            }
            let map = folder.path(of: folder.map)
            #expect(FileManager.default.contentsEqual(atPath: map, andPath: directory.path("a.mbtiles")))
            let names = try FileManager.default.contentsOfDirectory(atPath: parent).sorted()
            #expect(names == [".lock-" + region.id.uuidString, region.id.uuidString])
        }
    }

    @Test func aFolderThatOthersMayWriteToIsNotUsed() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let parent = directory.path("cache")
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: parent)
            let error = try #require(throws: RegionStoreError.self) {
                try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            }
            #expect(error.code == .storage && error.remedy != nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: parent).isEmpty)
        }
    }

    @Test(arguments: ["relative", ""]) func relativePathsAreRefused(parent: String) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try store.updateDesktopFolder(of: region.id, named: "a", in: parent)
            }
            #expect(error.code == .invalidArgument)
        }
    }
}
