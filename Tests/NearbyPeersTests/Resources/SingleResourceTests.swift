import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import Testing

@testable import NearbyPeers

@Suite struct SingleResourceTests {
    private func source(
        _ content: ResourceContent,
        id: UUID = UUID(),
        name: String = "Tour.gpx",
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws -> SingleResource {
        try SingleResource(content, id: id, name: name, isStopped: isStopped)
    }

    private struct Description: Decodable, Equatable {
        var id: UUID
        var name: String
    }

    @Test(arguments: [0, 1, 16_384, 16_385, (1 << 20) + 1, 5_000_000])
    func aFileAndItsBytesAreOfferedAlike(size: Int) async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: UInt64(size))
            let bytes = generator.bytes(size)
            try Data(bytes).write(to: URL(filePath: directory.path("f")))
            let id = UUID()
            let first = try source(.file(path: directory.path("f")), id: id)
            let second = try source(.bytes(Data(bytes)), id: id)
            #expect(first.manifest == second.manifest && first.manifest.id == id)
            let entry = try #require(first.manifest.entries.first)
            #expect(first.manifest.entries.count == 1 && entry.kind == .file && entry.size == size)
            #expect(try first.manifest.description(as: Description.self) == Description(id: id, name: "Tour.gpx"))
            let digests = try first.chunkDigests(of: entry)
            let expected = bytes.withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
            #expect(try digests == expected && second.chunkDigests(of: entry) == expected)
            #expect(try first.content(of: entry) == .file(path: directory.path("f")))
            #expect(try second.content(of: entry) == .bytes(Data(bytes)))
            #expect(throws: PeerError.notPartOfTransfer) {
                try first.content(of: source(.bytes(Data(bytes))).manifest.entries[0])
            }
        }
    }

    @Test func whatIsNoRegularFileIsRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let (folder, pipe, link) = (directory.path("folder"), directory.path("pipe"), directory.path("link"))
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            #expect(mkfifo(pipe, 0o600) == 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path("nothing"))
            let paths = [folder, pipe, link, "/dev/null", directory.path("nothing"), directory.path("a\u{0}b"), ""]
            for path in paths {
                let error = try #require(throws: PeerError.self) { try source(.file(path: path)) }
                #expect(error.code == .invalidArgument && error.remedy != nil, "\(path)")
                #expect(error.message.hasPrefix("“Tour.gpx” cannot be sent:"))
                #expect(!error.message.contains(directory.path))
            }
        }
    }

    @Test func aFileThatIsTooLargeIsRefused() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let file = try OpenFile(directory.path("f"), O_RDWR | O_CREAT)
            try file.resize(to: ChunkLayout.maximumSize + 1)
            let error = try #require(throws: PeerError.self) { try source(.file(path: directory.path("f"))) }
            #expect(error.code == .invalidArgument && error.message.contains("at most 256 GiB"))
        }
    }

    @Test func aLinkStandsForItsFile() async throws {
        try await TemporaryDirectory.with { directory in
            try Data("here".utf8).write(to: URL(filePath: directory.path("f")))
            try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: "f")
            let source = try source(.file(path: directory.path("link")))
            #expect(try source.content(of: source.manifest.entries[0]) == .file(path: directory.path("f")))
        }
    }

    @Test func aFileThatChangesOrGoesIsNotSent() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("f")
            for change in 0..<4 {
                try Data("one".utf8).write(to: URL(filePath: path))
                let source = try source(.file(path: path))
                switch change {
                case 0: try Data("longer".utf8).write(to: URL(filePath: path))
                case 1: try Data("two".utf8).write(to: URL(filePath: path))
                // Written in place, in the same tick of the clock perhaps.
                case 2:
                    let file = try OpenFile(path, O_RDWR)
                    try file.write(Array("two".utf8))
                    var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
                    #expect(futimens(file.descriptor, &times) == 0)
                default: unlink(path)
                }
                let error = try #require(throws: PeerError.self) { try source.content(of: source.manifest.entries[0]) }
                #expect(error.remedy != nil)
                #expect(change == 3 || error.message == "“Tour.gpx” has changed since it was offered.")
            }
        }
    }

    @Test func aFileThatChangesWhileItIsHashedIsRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("f")
            try Data(repeating: 1, count: 3_000_000).write(to: URL(filePath: path))
            for size in [1_000_000, 4_000_000] {
                try OpenFile(path, O_RDWR).resize(to: 3_000_000)
                let error = try #require(throws: PeerError.self) {
                    try source(
                        .file(path: path),
                        isStopped: {
                            // Asked between the pieces of the file.
                            try? OpenFile(path, O_RDWR).resize(to: UInt64(size))
                            return false
                        }
                    )
                }
                #expect(error.code == .localStorage && error.message.contains("has changed"))
            }
        }
    }

    @Test func hashingStops() async throws {
        try await TemporaryDirectory.with { directory in
            let bytes = [UInt8](repeating: 1, count: 100)
            try Data(bytes).write(to: URL(filePath: directory.path("f")))
            for content in [ResourceContent.bytes(Data(bytes)), .file(path: directory.path("f"))] {
                let error = try #require(throws: PeerError.self) { try source(content, isStopped: { true }) }
                #expect(error.code == .cancelled)
            }
        }
    }
}
