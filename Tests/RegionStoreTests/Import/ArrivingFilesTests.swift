import Foundation
import GRDB
import PeerStorage
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Files that a program sends to be imported.
@Suite(.timeLimit(.minutes(10))) struct ArrivingFilesTests {
    /// Sends bytes from where the files end.
    @discardableResult
    static func send(_ bytes: some Collection<UInt8>, to files: ArrivingFiles, of store: RegionStore) throws -> Bool {
        let block = try store.temporaryFile()
        try block.write(Array(bytes))
        return try files.add(block, at: files.length)
    }

    /// Sends files whole, by their paths.
    static func send(_ contents: [(path: String, bytes: [UInt8])], to store: RegionStore) throws -> ArrivingFiles {
        let files = try store.arrivingFiles(
            contents.map { try #require(ArrivingFile(path: $0.path, size: UInt64($0.bytes.count))) }
        )
        let all = contents.flatMap(\.bytes)
        if !all.isEmpty { #expect(try send(all, to: files, of: store)) }
        return files
    }

    private static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    private static func inode(_ path: String) throws -> UInt64 {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
    }

    @Test(
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/./b", "a/../../b", "a\0b",
            // In text, a slash with an accent is one character.
            "../\u{301}a", "a/../\u{301}../b", String(repeating: "x", count: 256),
            String(repeating: "a/", count: 32) + "a", String(repeating: "0123456789/", count: 100) + "a",
        ]
    )
    func aPathThatLeadsElsewhereIsNone(path: String) {
        // The accent belongs to a name of its own there.
        let isName = path.utf8.split(separator: UInt8(ascii: "/")).allSatisfy {
            !["..", "."].contains(String($0) ?? "")
        }
        if path.contains("\u{301}"), isName { return }
        #expect(ArrivingFile(path: path, size: 1) == nil)
    }

    @Test func namesStayWhole() throws {
        for path in [
            "a", ".a", "...", "a b/ü \"<&>.gpx", "C:\\x", String(repeating: "a/", count: 31) + "a", "-x", "a\n",
        ] {
            #expect(ArrivingFile(path: path, size: 1)?.path == path)
        }
    }

    @Test func bytesAreDividedAmongTheFilesWhereverTheyAreCut() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let contents: [(path: String, bytes: [UInt8])] = [
                ("empty", []), ("a/b/c.gpx", Array("abc".utf8)), ("a/d", []), ("a/e.gpx", Array("de".utf8)), ("z", []),
            ]
            let all = contents.flatMap(\.bytes)
            for cut in 1..<all.count {
                let files = try store.arrivingFiles(
                    contents.map { try #require(ArrivingFile(path: $0.path, size: UInt64($0.bytes.count))) }
                )
                #expect(files.size == 5 && files.length == 0)
                #expect(try Self.send(all[..<cut], to: files, of: store))
                // More than is missing, nothing, and a block that is here already.
                #expect(try !Self.send(all, to: files, of: store) && !Self.send([], to: files, of: store))
                let first = try store.temporaryFile()
                try first.write(Array(all[..<cut]))
                #expect(try !files.add(first, at: 0) && !files.add(first, at: .max))
                #expect(files.length == UInt64(cut))
                #expect(try Self.send(all[cut...], to: files, of: store))
                #expect(try !Self.send([1], to: files, of: store))
                for (path, bytes) in contents {
                    #expect(try Self.bytes(files.folder + "/" + path) == bytes)
                }
                var last: UInt64?
                for try await length in files.lengths { last = length }
                #expect(last == 5)
            }
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    @Test func emptyFilesAreThereAtOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let files = try Self.send([("a", []), ("b/c", [])], to: store)
            for try await _ in files.lengths {}
            #expect(files.paths == ["a", "b"])
            #expect(FileManager.default.fileExists(atPath: files.folder + "/b/c"))
        }
    }

    @Test func whatCannotBeTakenIsSaidBeforeTheFirstByte() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            func refused(_ paths: [String], size: UInt64 = 1) throws -> RegionStoreError {
                let files = paths.compactMap { ArrivingFile(path: $0, size: size) }
                return try #require(throws: RegionStoreError.self) { try store.arrivingFiles(files) }
            }
            #expect(try refused(["a", "b", "a"]).message == "Two of the files are called “a”.")
            // A file and a folder.
            #expect(try refused(["a/b", "a"]).message == "Two of the files are called “a”.")
            let many = (0...ArrivingFiles.maximumCount).map { "\($0)" }
            #expect(try refused(many).message.contains("20000 can be added at once"))
            // Each file is in folders of its own, as deep as they can be.
            let deep = (0...700).map { "\($0)/" + String(repeating: "a/", count: 30) + "a" }
            #expect(try refused(deep).message == "These files are in more than 20000 folders.")
            #expect(try refused(["a"], size: 1 << 59).message.hasPrefix("Not enough disk space"))
            for size in [.max, UInt64.max / 2 + 1] { #expect(try refused(["a", "b"], size: size).code != .notFound) }
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    /// A process that was killed has left them.
    @Test func filesOfAnotherTimeAreRemoved() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            _ = try RegionStore(path: path)
            let left = path + "/work/import-1/files/a/b"
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            try Data([1]).write(to: URL(filePath: left + "/c"))
            // What a link leads to stays.
            try FileManager.default.createSymbolicLink(
                atPath: path + "/work/import-1/files/link",
                withDestinationPath: path + "/regions"
            )
            _ = try RegionStore(path: path)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/work").isEmpty)
            #expect(FileManager.default.fileExists(atPath: path + "/regions"))
        }
    }

    // MARK: The import

    /// Files and folders of one name are matched, and messages have the names that the person knows.
    @Test func filesAreFoundInTheirFolders() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            try MapFile.small().write(to: directory.path("a.mbtiles"))
            let map = try Self.bytes(directory.path("a.mbtiles"))
            let files = try Self.send(
                [
                    ("Alps/a.mbtiles", map), ("Alps/b.txt", Array("hello".utf8)),
                    ("Alps/c.mbtiles", Array(map.prefix(5000))),
                    ("d.exe", Array("hello".utf8)), ("e.mbtiles", map), ("e.mbtiles-journal", [1]), ("alone-wal", [1]),
                ],
                to: store
            )
            var refused: [String: String] = [:]
            let found = try InputFile.all(files) { refused[$0] = ($1 as? RegionStoreError)?.message }
            #expect(found.map(\.path) == ["Alps/a.mbtiles", "Alps/b.txt", "Alps/c.mbtiles", "e.mbtiles"])
            #expect(found.map(\.kind) == [.map, .other, .map, .map])
            #expect(refused.keys.sorted() == ["alone-wal", "d.exe"])
            for (name, message) in refused { #expect(message.hasPrefix("\(name) is not a map"), "\(message)") }
            let cut = found[2]
            let error = try #require(throws: RegionStoreError.self) {
                try store.prepareMap(at: cut.location, called: cut.path, by: cut.work())
            }
            let named = try #require(cut.naming(error) as? RegionStoreError)
            #expect(named.message.contains("Alps/c.mbtiles") && !named.message.contains(files.folder), "\(named)")
        }
    }

    @Test func aMapThatWasSentIsNotCopied() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let path = directory.path("a.mbtiles")
            let database = try MapFile.small().write(to: path)
            // As a program leaves it that has used a log.
            try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try database.close()
            for name in ["a.mbtiles-wal", "a.mbtiles-shm"] {
                try? FileManager.default.removeItem(atPath: directory.path(name))
            }
            let files = try Self.send([("a.mbtiles", try Self.bytes(path))], to: store)
            let file = try #require(try InputFile.all(files) { throw $1 }.first)
            let number = try Self.inode(file.location)
            let region = try store.prepareMap(at: file.location, called: file.path, by: file.work()).store().region
            let stored = store.path + "/regions/" + region.id.uuidString
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: stored).first { $0.hasSuffix(".mbtiles") }
            )
            #expect(try Self.inode(stored + "/" + name) == number)
            #expect(region.tileCount == 21)
            // The file of the region is whole without the one that was sent.
            withExtendedLifetime(files) {}
            try store.exportMap(of: region.id, to: directory.path("out.mbtiles"))
            // The mark of the log is all that differs.
            let (before, after) = (try Self.bytes(path), try Self.bytes(directory.path("out.mbtiles")))
            #expect(before.count == after.count && zip(before, after).count { $0 != $1 } == 2)
        }
    }

    @Test func mapsOfOtherProgramsAndRoutingAreNotCopied() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try RoutingFixture(bounds: "11.26,47.05,11.59,47.27").write(to: directory.path("r.db"))
            let files = try Self.send(
                [("r.db", try Self.bytes(directory.path("r.db"))), ("x.map", ForeignBytes.mapsforge())],
                to: store
            )
            for file in try InputFile.all(files, refuse: { throw $1 }) {
                let number = try Self.inode(file.location)
                let id: UUID
                if let format = file.kind.foreignFormat {
                    id = try store.prepareForeignMap(at: file.location, as: format, by: file.work()).store().region.id
                } else {
                    id = region.id
                    _ = try store.importRouting(at: file.location, called: file.path, beside: [:], by: file.work())
                }
                let folder = store.path + "/regions/" + id.uuidString + "/"
                let numbers = try FileManager.default.contentsOfDirectory(atPath: folder).map {
                    try Self.inode(folder + $0)
                }
                #expect(numbers.contains(number), "\(file.path)")
            }
        }
    }

    /// A file of a person is never that of the store, and neither is one whose last changes are beside it.
    @Test func otherFilesAreCopied() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let path = directory.path("a.mbtiles")
            try MapFile.small().write(to: path)
            let content = try Self.bytes(path)
            let files = try Self.send([("b.mbtiles", content), ("b.mbtiles-journal", [])], to: store)
            let sent = try InputFile.all(files) { throw $1 }
            for file in try InputFile.all([path], arguments: []) + sent {
                let number = try Self.inode(file.location)
                let map = try store.prepareMap(at: file.location, called: file.path, by: file.work())
                #expect(try Self.inode(map.workspace.folder.path(of: "mbtiles")) != number, "\(file.path)")
            }
        }
    }
}
