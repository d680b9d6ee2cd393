import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// Links, modes and stray files in the store's folders: whoever put them there gains nothing by it.
@Suite(.timeLimit(.minutes(10))) struct HostileFolderTests {
    /// Two stores, and a file outside of both that must stay as it is.
    struct World {
        var pair: RegionTransferTests.Pair
        var outside: String
        var precious: String

        init(in directory: TemporaryDirectory) throws {
            pair = try RegionTransferTests.Pair(in: directory)
            outside = directory.path("outside")
            precious = outside + "/precious"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: precious))
        }

        /// The folders of the receiver's store through which a map goes, by the folder that they are in.
        func folders(of source: RegionSource) -> [String: String] {
            let map = source.manifest.entry(of: .mbtiles).map { ReceivedParts.name($0.digest, size: $0.size) } ?? ""
            return [
                "regions": pair.receiver.path + "/regions/" + pair.region.id.uuidString,
                "work": pair.receiver.path + "/work/receive-" + source.manifest.digest.hex,
                "incoming": pair.receiver.path + "/incoming/" + map,
            ]
        }

        func expectUntouched(_ location: SourceLocation = #_sourceLocation) throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: outside)
            #expect(names == ["precious"], sourceLocation: location)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: precious))
            #expect(bytes == Data("precious".utf8), sourceLocation: location)
        }
    }

    static func link(_ path: String, to target: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test(arguments: ["regions", "work", "incoming"])
    func aFolderThatIsALinkIsNotWrittenThrough(folder: String) async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let receiver = world.pair.receiver
            let source = try world.pair.sender.source(for: world.pair.region.id)
            let path = try #require(world.folders(of: source)[folder])
            try Self.link(path, to: world.outside)

            let result = Result { try Transfers.run(source, to: receiver.sink()) }

            try world.expectUntouched()
            // What is kept of unfinished files is a convenience; without it the transfer goes on.
            if folder != "incoming" {
                #expect(throws: RegionStoreError.self) { try result.get() }
                #expect(try receiver.regions().isEmpty)
            }
            unlink(path)
            try Transfers.run(source, to: receiver.sink())
            #expect(try receiver.regions().count == 1)
            try world.expectUntouched()
        }
    }

    @Test func aFileThatBecomesALinkIsNotTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let source = try world.pair.sender.source(for: world.pair.region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let transfer = try world.pair.receiver.sink().begin(source.manifest, accepting: [.mbtiles])
            try Transfers.send(entry, of: source, to: transfer)
            let path = try #require(world.folders(of: source)["work"]) + "/mbtiles"
            try FileManager.default.removeItem(atPath: path)
            try Self.link(path, to: world.precious)

            #expect(throws: RegionStoreError.self) { try transfer.finish(entry) }
            transfer.abandon()

            try world.expectUntouched()
            #expect(try world.pair.receiver.regions().isEmpty)
        }
    }

    @Test func linksThatComeAndGoWhileAMapArrivesLeadNowhere() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let source = try world.pair.sender.source(for: world.pair.region.id, kinds: [.mbtiles])
            let receiver = world.pair.receiver
            let folders = world.folders(of: source)
            let paths =
                folders.values
                + ["work", "incoming"].compactMap { folders[$0] }
                .flatMap { [$0 + "/mbtiles", $0 + "/data"] }
            let isOver = Locked(false)
            let swaps = Locked(0)
            let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
            Thread.detachNewThread {
                while !isOver.value {
                    for path in paths {
                        if symlink(world.outside, path) == 0 { swaps.withLock { $0 += 1 } }
                        unlink(path)
                    }
                }
                continuation.finish()
            }
            var rounds = 0
            while rounds < 40 || swaps.value == 0 {
                _ = try? Transfers.run(source, to: receiver.sink())
                for region in try receiver.regions() { _ = try? receiver.remove(region.id) }
                rounds += 1
            }
            isOver.set(true)
            for await _ in ended {}
            try world.expectUntouched()
        }
    }

    @Test func clearingAwayFollowsNoLink() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let store = world.pair.sender
            let digest = String(repeating: "a", count: 64)
            try Self.link(store.path + "/incoming/" + digest, to: world.outside)
            try Self.link(store.path + "/incoming/\(String(repeating: "b", count: 64))/mbtiles", to: world.precious)
            try Self.link(store.path + "/work/import-1/link", to: world.outside)
            try Self.link(store.path + "/regions/" + UUID().uuidString, to: world.outside)
            try Self.link(
                store.path + "/regions/\(world.pair.region.id.uuidString)/\(digest).mbtiles",
                to: world.precious
            )

            let again = try RegionStore(path: store.path)
            try again.remove(world.pair.region.id)

            try world.expectUntouched()
            #expect(try again.regions().isEmpty)
        }
    }

    @Test func modesOfAFileDoNotTravel() async throws {
        try await TemporaryDirectory.with { directory in
            let map = directory.path("suid.mbtiles")
            try MapFile.small().write(to: map).close()
            try #require(chmod(map, 0o4777) == 0)
            let sender = try RegionStore(path: directory.path("sender"))
            let receiver = try RegionStore(path: directory.path("receiver"))
            let region = try sender.importMap(at: map).region
            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())
            for store in [sender, receiver] {
                for path in try FileManager.default.subpathsOfDirectory(atPath: store.path) {
                    var status = stat()
                    try #require(lstat(store.path + "/" + path, &status) == 0)
                    #expect(status.st_mode & 0o7077 == 0, "\(path) has mode \(String(status.st_mode, radix: 8))")
                    let kind = status.st_mode & S_IFMT
                    #expect(kind == S_IFREG || kind == S_IFDIR, "\(path)")
                }
            }
            try receiver.exportMap(of: region.id, to: directory.path("out.mbtiles"))
            var status = stat()
            try #require(stat(directory.path("out.mbtiles"), &status) == 0)
            #expect(status.st_mode & 0o7133 == 0, "mode \(String(status.st_mode, radix: 8))")
        }
    }

    @Test func filesBesideADatabaseAreNotRead() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let source = try world.pair.sender.source(for: world.pair.region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let receiver = world.pair.receiver
            let log = try Self.logThatEmptiesTheMap(in: directory)
            let transfer = try receiver.sink().begin(source.manifest, accepting: [.mbtiles])
            let folders = world.folders(of: source)
            for file in [try #require(folders["work"]) + "/mbtiles", try #require(folders["incoming"]) + "/data"] {
                for suffix in ["-wal", "-journal"] { try log.write(to: URL(fileURLWithPath: file + suffix)) }
            }
            try Transfers.send(entry, of: source, to: transfer)
            try transfer.finish(entry)
            _ = try transfer.commit()

            #expect(try StoreState.files(in: receiver, "incoming").isEmpty)
            #expect(try StoreState.files(in: receiver, "work").isEmpty)
            let stored = try #require(try StoreState.files(in: receiver, "regions").first)
            for suffix in ["-wal", "-journal"] {
                try log.write(to: URL(fileURLWithPath: receiver.path + "/" + stored + suffix))
            }
            try receiver.exportMap(of: world.pair.region.id, to: directory.path("out.mbtiles"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("out.mbtiles"))) == world.pair.map)
            try UntrustedFile.check(receiver.path + "/" + stored, as: .mbtiles, isThorough: true, seconds: 20)
        }
    }

    /// A write-ahead log of the small map, good in itself, that would make SQLite see a map without tiles.
    private static func logThatEmptiesTheMap(in directory: TemporaryDirectory) throws -> Data {
        let path = directory.path("logged.mbtiles")
        let queue = try MapFile.small().write(to: path, isWAL: true)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; DELETE FROM tiles")
        }
        let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        try queue.close()
        return log
    }

    private static let names = [
        "../../../../../../tmp/owned", "/etc/passwd", "..", ".", "a/../b", "C:\\Windows\\x", "CON", "nul.txt",
        "a\u{0}b",
        "-rf", "~root", "$(id)", "é", "e\u{301}", "NORDKETTE", "\u{202E}gpj.exe",
    ]

    @Test func aNameNeverBecomesAPath() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            var expected: [String] = []
            for name in Self.names {
                var region = pair.region.region
                region.id = UUID()
                region.name = name
                let source = try LyingSource(region, [.mbtiles: Array(pair.map)])
                try Transfers.run(source, to: pair.receiver.sink())
                let digest = try #require(source.manifest.entry(of: .mbtiles)?.digest.hex)
                // SQLite's texts end at a zero character, so that is left out.
                let shown = name.replacingOccurrences(of: "\u{0}", with: "")
                #expect(try pair.receiver.region(region.id).name == shown)
                expected.append("regions/\(region.id.uuidString)/\(digest).mbtiles")
            }
            #expect(try StoreState.files(in: pair.receiver, "regions") == expected.sorted())
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 4)
        }
    }
}
