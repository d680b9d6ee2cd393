import Foundation
import GRDB
import PeerTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// Paths at and beyond the limit of SQLite.
@Suite struct LongPathTests {
    /// Returns the path of a folder in a directory that has a number of bytes.
    private static func path(_ length: Int, in directory: TemporaryDirectory) throws -> String {
        var path = try #require(realpath(directory.path, nil).map { String(cString: $0) })
        while path.utf8.count < length {
            let room = length - path.utf8.count - 1
            // Every folder needs a name of its own.
            path += "/" + String(repeating: "x", count: room > 200 ? 100 : max(1, room))
        }
        return path
    }

    @Test func aStoreWithTheLongestPossiblePathWorks() async throws {
        try await TemporaryDirectory.with { directory in
            try MapFile.small().write(to: directory.path("a.mbtiles")).close()
            try RoutingFixture().write(to: directory.path("r.db"))
            let store = try RegionStore(path: Self.path(DatabasePath.maximumLength - 121, in: directory))
            let region = try store.importMap(at: directory.path("a.mbtiles"), routing: directory.path("r.db")).region
            let address = try #require(TileAddress(zoomLevel: 10, column: 544, southernRow: 664))
            #expect(try store.tile(address, of: region.id) != nil)
            _ = try store.source(for: region.id)
        }
    }

    @Test func aLongerPathIsCalledTooLong() async throws {
        try await TemporaryDirectory.with { directory in
            let path = try Self.path(DatabasePath.maximumLength - 120, in: directory)
            for access in [StoreAccess.creating, .writing, .reading] {
                let error = try #require(throws: RegionStoreError.self) {
                    try RegionStore(path: path, application: "test", access: access)
                }
                #expect(error.code == .storage)
                #expect(error.message.contains("too long: it has 384 bytes, and at most 383 are possible"), "\(error)")
                #expect(error.remedy?.contains("shorter path") == true)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aMapWithALongPathIsNotCalledABadDisk() async throws {
        try await TemporaryDirectory.with { directory in
            let folder = try Self.path(DatabasePath.maximumLength, in: directory)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try MapFile.small().write(to: directory.path("a.mbtiles")).close()
            try FileManager.default.copyItem(atPath: directory.path("a.mbtiles"), toPath: folder + "/a.mbtiles")
            let store = try RegionStore(path: directory.path("store"))
            let error = try #require(throws: RegionStoreError.self) { try store.importMap(at: folder + "/a.mbtiles") }
            #expect(error.message.contains("is too long: it has 514 bytes"), "\(error)")
        }
    }
}
