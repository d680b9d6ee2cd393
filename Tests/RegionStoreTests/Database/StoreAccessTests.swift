import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Which stores are opened, and which are made. (On a read-only disk: `ReadOnlyStoreTests` of the program.)
@Suite(.timeLimit(.minutes(10))) struct StoreAccessTests {
    @Test(arguments: [StoreAccess.reading, .writing]) func aStoreThatIsNotThereIsNotMade(
        access: StoreAccess
    ) async throws {
        try await TemporaryDirectory.with { directory in
            for name in ["nowhere", "a/b", "."] {
                let path = directory.path(name)
                let error = try #require(throws: RegionStoreError.self) { try RegionStore(path: path, access: access) }
                #expect(error.code == .notFound)
                #expect(error.message == "There is no store at \(path).")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
    }

    @Test func onlyTheFirstOneMakesAStore() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            let areNew = try [StoreAccess.creating, .creating, .writing, .reading].map { access in
                try RegionStore(path: path, access: access).isNew
            }
            #expect(areNew == [true, false, false, false])
        }
    }

    @Test func readingFindsWhatWritingLeft() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try store.add([try Items.waypoint()], to: region.id)
            let reader = try RegionStore(path: store.path, access: .reading)
            #expect(try StoreState(of: reader) == StoreState(of: store))
            #expect(try reader.incomingFiles().isEmpty)
        }
    }

    @Test func aPlaceThatIsAFileIsNoStore() async throws {
        try await TemporaryDirectory.with { directory in
            try Data().write(to: URL(fileURLWithPath: directory.path("file")))
            let error = try #require(throws: RegionStoreError.self) {
                try RegionStore(path: directory.path("file"), access: .reading)
            }
            #expect(error.code == .storage)
            #expect(error.message.contains("not a folder"))
        }
    }
}
