import FaultInjection
import Foundation
import GRDB
import Glibc
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// A file that the store has already: it is read again only if somebody may have written to it.
@Suite(.timeLimit(.minutes(10))) struct KnownFileTests {
    /// A store that has received a region, and the region as it is offered again.
    private struct Bench {
        let source: RegionSource
        let path: String
        let regionID: UUID
        let map: ManifestEntry

        init(in directory: TemporaryDirectory) throws {
            let sender = try RegionStore(path: directory.path("sender"))
            try MapFile.small(tileLength: 20_000).write(to: directory.path("a.mbtiles")).close()
            let region = try sender.importMap(at: directory.path("a.mbtiles")).region
            source = try sender.source(for: region.id)
            path = directory.path("receiver")
            regionID = region.id
            map = try #require(source.manifest.entry(of: .mbtiles))
            try Transfers.run(source, to: try RegionStore(path: path).sink())
        }

        /// Whether a file is the map that is here, under its own name or that of a link to it.
        static func isLocalMap(_ name: String) -> Bool {
            name.hasSuffix(".mbtiles") || name.hasSuffix("/mbtiles.local")
        }

        var mapPath: String { "\(path)/regions/\(regionID.uuidString)/\(map.digest.hex).mbtiles" }

        /// Receives it again; returns how often the map that is here was read, and how many chunks crossed.
        func receiveAgain() throws -> (readCount: Int, chunkCount: Int) {
            let recorder = StepRecorder(in: path)
            let store = try RegionStore(path: path, faults: recorder)
            let transfer = try store.sink().begin(source.manifest, accepting: [.mbtiles])
            let chunkCount = try Transfers.send(map, of: source, to: transfer)
            let readCount = recorder.steps.count { step in
                if case .file(.read, let name) = step { Bench.isLocalMap(name) } else { false }
            }
            try transfer.finish(map)
            _ = try transfer.commit()
            return (readCount, chunkCount)
        }

        /// Writes to the map in place; the time of the file is what the system makes it.
        func overwrite(_ bytes: [UInt8], at offset: UInt64) throws {
            try OpenFile(mapPath, O_RDWR).write(bytes, at: offset)
        }

        func byte(at offset: UInt64) throws -> UInt8 {
            let file = try OpenFile(mapPath, O_RDONLY)
            return try file.prefix(Int(offset) + 1)[Int(offset)]
        }
    }

    @Test func anUnchangedFileIsNotReadAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let bench = try Bench(in: directory)
            #expect(try bench.receiveAgain() == (0, 0))
            #expect(try bench.receiveAgain() == (0, 0))
        }
    }

    @Test func aFileThatWasAlteredInPlaceIsFoundAndHealed() async throws {
        try await TemporaryDirectory.with { directory in
            let bench = try Bench(in: directory)
            // At once: in the same tick of the file system's clock as the writing of the store itself, perhaps.
            let offset = bench.map.size / 2
            let right = try bench.byte(at: offset)
            try bench.overwrite([right ^ 1], at: offset)

            let healing = try bench.receiveAgain()
            #expect(healing.readCount > 0)
            #expect(healing.chunkCount == 1)
            #expect(try bench.byte(at: offset) == right)
            #expect(try bench.receiveAgain() == (0, 0))
        }
    }

    @Test func aFileThatWasWrittenToAndIsTheSameIsReadOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let bench = try Bench(in: directory)
            try bench.overwrite([try bench.byte(at: 5000)], at: 5000)
            let first = try bench.receiveAgain()
            #expect(first.readCount > 0)
            #expect(first.chunkCount == 0)
            #expect(try bench.receiveAgain() == (0, 0))
        }
    }

    @Test func anotherFileInItsPlaceIsReadWhateverItsTime() async throws {
        try await TemporaryDirectory.with { directory in
            let bench = try Bench(in: directory)
            let copy = bench.mapPath + ".copy"
            try FileManager.default.copyItem(atPath: bench.mapPath, toPath: copy)
            let times = try FileManager.default.attributesOfItem(atPath: bench.mapPath)[.modificationDate]
            try FileManager.default.setAttributes([.modificationDate: try #require(times)], ofItemAtPath: copy)
            try #require(rename(copy, bench.mapPath) == 0)
            #expect(try bench.receiveAgain().readCount > 0)
        }
    }

    @Test func anImportedFileThatComesAgainIsNotRead() async throws {
        try await TemporaryDirectory.with { directory in
            let bench = try Bench(in: directory)
            let recorder = StepRecorder(in: directory.path("sender"))
            let sender = try RegionStore(path: directory.path("sender"), faults: recorder)
            let transfer = try sender.sink().begin(bench.source.manifest, accepting: [.mbtiles])
            #expect(try Transfers.send(bench.map, of: bench.source, to: transfer) == 0)
            transfer.abandon()
            #expect(
                !recorder.steps.contains { step in
                    if case .file(.read, let name) = step { Bench.isLocalMap(name) } else { false }
                }
            )
        }
    }
}
