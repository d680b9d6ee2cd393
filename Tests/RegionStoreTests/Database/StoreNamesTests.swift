import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct StoreNamesTests {
    /// The files of a folder with their sizes and times.
    private static func contents(of path: String) throws -> [String: String] {
        let manager = FileManager.default
        let names = try manager.subpathsOfDirectory(atPath: path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let attributes = try manager.attributesOfItem(atPath: path + "/" + name)
                return (name, "\(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")")
            }
        )
    }

    private static func fill(_ store: RegionStore) throws -> PeerID {
        let id = PeerID(digest: ContentDigest(hashing: [1]))
        try store.trustedPeers.trust(id, name: "Anna")
        let folder = try store.folders.incoming.folder.makingFolder(String(repeating: "ab", count: 32) + "-7")
        let note =
            #"{"regionID":"52C93677-A1E3-457E-B4A3-E87F040845A4","regionName":"Tatra","kind":"mbtiles","size":7}"#
        try folder.createFile("note.json").write(Array(note.utf8))
        return id
    }

    @Test(arguments: [false, true])
    func areReadWithoutAChange(hasLog: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let peer = try Self.fill(store)
            if !hasLog { try store.database.settle() }
            let before = try Self.contents(of: store.path)
            let names = StoreNames(storeAt: store.path)
            #expect(names.regions == [StoreNames.Entry(name: "Nordkette", id: region.id.uuidString)])
            #expect(names.trustedPeers == [StoreNames.Entry(name: "Anna", id: peer.hex)])
            #expect(
                names.incomingRegions == [
                    StoreNames.Entry(name: "Tatra", id: "52C93677-A1E3-457E-B4A3-E87F040845A4")
                ]
            )
            #expect(try Self.contents(of: store.path) == before)
            withExtendedLifetime(store) {}
        }
    }

    @Test func itemsAreThoseOfTheRegionThatIsNamed() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let (hike, route) = (try Items.hike(), try Items.plannedRoute())
            try store.add([hike], to: region.id)
            try store.add([route], to: region.id)
            let names = StoreNames(storeAt: store.path)
            let hikes = [StoreNames.Entry(name: hike.name, id: hike.id.uuidString)]
            let routes = [StoreNames.Entry(name: route.name, id: route.id.uuidString)]
            #expect(names.items([.hike], ofRegion: "nordk") == hikes)
            #expect(names.items([.hike, .plannedRoute], ofRegion: nil) == hikes + routes)
            // Nothing that is typed narrows the search to no region.
            #expect(names.items([.hike], ofRegion: "x' OR 1=1 --") == hikes)
            #expect(names.items([.waypoint], ofRegion: "Nordkette").isEmpty)

            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles"))
            let other = try store.importMap(at: directory.path("b.mbtiles"), name: "Tatra").region
            #expect(names.items([.hike], ofRegion: "Tatra").isEmpty)
            #expect(names.items([.hike], ofRegion: other.id.uuidString).isEmpty)
            #expect(names.items([.hike], ofRegion: "Nordkette") == hikes)
        }
    }

    @Test func areReadWhileAnotherProcessWrites() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let other = try DatabaseQueue(path: store.path + "/" + StoreDatabase.fileName)
            try other.writeWithoutTransaction { database in
                try database.execute(sql: "BEGIN IMMEDIATE; DELETE FROM region;")
                defer { try? database.execute(sql: "ROLLBACK") }
                #expect(StoreNames(storeAt: store.path).regions.map(\.id) == [region.id.uuidString])
            }
        }
    }

    @Test func aMissingStoreStaysMissing() async throws {
        try await TemporaryDirectory.with { directory in
            let names = StoreNames(storeAt: directory.path("store"))
            #expect(names.regions.isEmpty && names.trustedPeers.isEmpty && names.incomingRegions.isEmpty)
            let contents = try Self.contents(of: directory.path)
            #expect(contents.isEmpty)
        }
    }

    @Test(arguments: ["", "no database", String(repeating: "SQLite format 3\0", count: 500)])
    func aDamagedStoreHasNoNames(content: String) async throws {
        try await TemporaryDirectory.with { directory in
            try Data(content.utf8).write(to: URL(fileURLWithPath: directory.path(StoreDatabase.fileName)))
            let before = try Self.contents(of: directory.path)
            let names = StoreNames(storeAt: directory.path)
            #expect(names.regions.isEmpty && names.trustedPeers.isEmpty && names.incomingRegions.isEmpty)
            #expect(try Self.contents(of: directory.path) == before)
        }
    }
}
