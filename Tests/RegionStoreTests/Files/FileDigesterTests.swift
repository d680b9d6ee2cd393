import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite struct FileDigesterTests {
    // None, less than a chunk, the edges of a chunk, the edges of a piece, and several pieces.
    @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 1 << 20, (1 << 20) + 1, 5_000_000], [1, 2, 7])
    func digestsAreTheSameOnAnyNumberOfThreads(size: Int, threads: Int) async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: UInt64(size))
            let bytes = generator.bytes(size)
            try Data(bytes).write(to: URL(fileURLWithPath: directory.path("f")))
            let steps = Steps()

            let result = try FileDigester(threadCount: threads)
                .digest(try OpenFile(directory.path("f"), O_RDONLY), path: "f") { steps.add($0, $1) }

            let layout = try #require(ChunkLayout(size: UInt64(size)))
            let expected = Transfers.digests(of: bytes, layout)
            #expect(result.chunkDigests == expected)
            #expect(result.digest == ContentDigest(resourceSize: UInt64(size), chunkDigests: expected))
            #expect(steps.all.map(\.0).max() ?? 0 == Int64(size))
        }
    }

    @Test(arguments: [1, 16_385, (1 << 20) + 1, 5_000_000], [1, 2, 7])
    func whatIsHashedIsCopiedOnTheWay(size: Int, threads: Int) async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: UInt64(size))
            let bytes = generator.bytes(size)
            try Data(bytes).write(to: URL(fileURLWithPath: directory.path("f")))
            let source = try OpenFile(directory.path("f"), O_RDONLY)
            let target = try Folder(directory.path).createFile("copy")

            let result = try FileDigester(threadCount: threads).digest(source, copyingTo: target, path: "f")

            let layout = try #require(ChunkLayout(size: UInt64(size)))
            #expect(result.chunkDigests == Transfers.digests(of: bytes, layout))
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("copy"))) == Data(bytes))
        }
    }

    @Test func buffersAreWrittenInOrderWhateverTheirNumber() async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: 3)
            // More than one call takes, and some of them empty.
            let pieces = (0..<2500).map { generator.bytes($0 % 7) }
            let file = try Folder(directory.path).createFile("f")
            try file.write(pieces.map { ByteBuffer(bytes: $0) }, at: 10)
            let written = try Data(contentsOf: URL(fileURLWithPath: directory.path("f")))
            #expect(Array(written) == [UInt8](repeating: 0, count: 10) + pieces.flatMap { $0 })
        }
    }

    @Test func aFileIsNeverMadeInThePlaceOfALink() async throws {
        try await TemporaryDirectory.with { directory in
            let folder = try Folder(directory.path)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.path("target")))
            try FileManager.default.createSymbolicLink(
                atPath: directory.path("link"),
                withDestinationPath: directory.path("target")
            )
            #expect(throws: SystemError(number: EEXIST)) { try folder.createFile("link") }
            #expect(throws: SystemError(number: ELOOP)) { try folder.openFile("link", O_RDWR) }
            #expect(throws: SystemError(number: EEXIST)) { try folder.moveHere("target", from: folder, as: "link") }
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("target"))) == Data("mine".utf8))
        }
    }

    @Test func aLockIsHeldUntilItGoesAway() async throws {
        try await TemporaryDirectory.with { directory in
            let folder = try Folder(directory.path)
            var lock: FileLock? = try FileLock("lock", in: folder, .shared)
            #expect(try FileLock(trying: "lock", in: folder, .shared) != nil)
            #expect(try FileLock(trying: "lock", in: folder, .exclusive) == nil)
            withExtendedLifetime(lock) {}
            lock = nil
            #expect(try FileLock(trying: "lock", in: folder, .exclusive) != nil)
        }
    }
}
