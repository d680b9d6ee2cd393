import Foundation
import NIOCore
import PeerStorage
import PeerTestSupport
import Testing

@testable import NearbyPeers

@Suite struct ResourceStorageTests {
    // None, less than a chunk, the edges of a chunk, and several.
    static let sizes = [0, 1, 16_383, 16_384, 16_385, 200_000]

    @Test(arguments: sizes, [false, true]) func aFileAppearsUnderItsName(size: Int, isKept: Bool) async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: size)
            let url = bench.url("Place.bin")
            let storage = shipment.storage(.file(path: url.path), keptIn: isKept ? bench.partials : nil)
            let (transfer, missing) = try shipment.begin(into: storage)
            #expect(missing == Array(0..<shipment.entry.layout.chunkCount))
            try transfer.finish(shipment.entry)
            #expect(bench.visibleNames == [] && storage.received == nil)
            #expect(try transfer.commit() == TransferReceipt(imported: ["file": 1]))
            #expect(storage.received == .file(path: url.path))
            #expect(try Data(contentsOf: url) == Data(shipment.bytes))
            storage.discard()
            #expect(bench.names == ["Place.bin"] && bench.keptNames == [])
        }
    }

    @Test(arguments: [false, true]) func aFileIsDurableBeforeItGetsItsName(isKept: Bool) async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 20_000)
            let calls = SomeFail()
            let partials = isKept ? bench.partials : nil
            try shipment.bring(
                into: shipment.storage(.file(path: bench.url("Place.bin").path), keptIn: partials, calls)
            )
            let written = try #require(calls.seen.lastIndex(of: "write"))
            let named = try #require(calls.seen.lastIndex { ["link", "rename"].contains($0) })
            #expect(calls.seen[written...named].contains("synchronize"), "\(calls.seen)")
        }
    }

    @Test func whatACrashHasLeftIsRemovedByTheNextTransfer() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 20_000)
            // Another program receives into the folder.
            let others = shipment.storage(.folder(path: bench.folder.path), named: "Other.gpx")
            let (other, _) = try shipment.begin(into: others)
            let used = bench.names
            #expect(used.count == 1)
            let crashed = ".receiving-" + UUID().uuidString
            let names = [".receiving-", ".receiving-mine", ".receiving-\(UUID().uuidString)x", "." + UUID().uuidString]
            for name in names + [crashed] { try Data("some".utf8).write(to: bench.url(name)) }
            let folder = ".receiving-" + UUID().uuidString
            try FileManager.default.createDirectory(at: bench.url(folder), withIntermediateDirectories: false)
            let storage = shipment.storage(.folder(path: bench.folder.path))
            try shipment.bring(into: storage)
            #expect(bench.names == (used + names + [folder, "Tour.gpx"]).sorted())
            try other.finish(shipment.entry)
            _ = try other.commit()
            others.discard()
            #expect(bench.names == (names + [folder, "Other.gpx", "Tour.gpx"]).sorted())
        }
    }

    @Test(arguments: sizes) func bytesAppearInMemory(size: Int) throws {
        let shipment = try Shipment(size: size)
        let storage = shipment.storage(.memory(limit: size))
        try shipment.bring(into: storage)
        storage.discard()
        #expect(storage.received == .bytes(Data(shipment.bytes)))
    }

    @Test func aFileInAFolderGetsASafeNameAndANumber() async throws {
        try await Bench.with { bench in
            let names = try (0..<3).map { number in
                let shipment = try Shipment(size: 20_000, seed: UInt64(number))
                let storage = shipment.storage(.folder(path: bench.folder.path), named: "../Tour 1\u{202E}.gpx")
                try shipment.bring(into: storage)
                let url = try #require(storage.received?.url)
                #expect(try Data(contentsOf: url) == Data(shipment.bytes))
                return url.lastPathComponent
            }
            #expect(names == ["Tour 1.gpx", "Tour 1 (2).gpx", "Tour 1 (3).gpx"])
            #expect(bench.names == names.sorted())
        }
    }

    @Test func whatIsThereIsNeverReplaced() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 20_000)
            let url = bench.url("Tour.gpx")
            try Data("mine".utf8).write(to: url)
            let first = shipment.storage(.file(path: url.path))
            #expect(throws: PeerError.self) { try first.examine(shipment.source.manifest) }
            #expect(throws: PeerError.self) { try first.begin(shipment.source.manifest, accepting: [.file]) }

            // It appears while the resource arrives.
            try FileManager.default.removeItem(at: url)
            let second = shipment.storage(.file(path: url.path))
            let (transfer, _) = try shipment.begin(into: second)
            try transfer.finish(shipment.entry)
            try Data("mine".utf8).write(to: url)
            let error = try #require(throws: PeerError.self) { try transfer.commit() }
            #expect(error.code == .localStorage && error.message.contains("exists already"))
            second.discard()
            #expect(try Data(contentsOf: url) == Data("mine".utf8) && bench.names == ["Tour.gpx"])
        }
    }

    @Test(arguments: [false, true]) func aSymbolicLinkIsNotFollowed(leadsSomewhere: Bool) async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 20_000)
            let (link, outside) = (bench.url("Tour.gpx"), bench.outside.path + "/target")
            if leadsSomewhere { try Data("mine".utf8).write(to: URL(fileURLWithPath: outside)) }
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: outside)
            #expect(throws: PeerError.self) { try shipment.bring(into: shipment.storage(.file(path: link.path))) }
            let storage = shipment.storage(.folder(path: bench.folder.path))
            try shipment.bring(into: storage)
            #expect(storage.received == .file(path: bench.url("Tour (2).gpx").path))
            #expect(bench.names == ["Tour (2).gpx", "Tour.gpx"])
            let target = try? Data(contentsOf: URL(fileURLWithPath: outside))
            #expect(target == (leadsSomewhere ? Data("mine".utf8) : nil))
        }
    }

    @Test(arguments: [false, true]) func afterABreakOnlyMissingChunksComeAgain(isKept: Bool) async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let storage = shipment.storage(.folder(path: bench.folder.path), keptIn: isKept ? bench.partials : nil)
            let all = Array(0..<shipment.entry.layout.chunkCount)
            try shipment.breakOff(into: storage, after: 4)
            try shipment.breakOff(into: storage, after: 3)
            #expect(bench.visibleNames == [])
            #expect(try shipment.bring(into: storage) == Array(all.dropFirst(7)))
            #expect(storage.received == .file(path: bench.url("Tour.gpx").path))
            #expect(try Data(contentsOf: bench.url("Tour.gpx")) == Data(shipment.bytes))
            #expect(bench.names == ["Tour.gpx"] && bench.keptNames == [])
        }
    }

    @Test func memoryKeepsWhatHasCome() throws {
        let shipment = try Shipment(size: 200_000)
        let storage = shipment.storage(.memory(limit: 200_000))
        try shipment.breakOff(into: storage, after: 4)
        #expect(try shipment.bring(into: storage) == Array(4..<shipment.entry.layout.chunkCount))
        #expect(storage.received == .bytes(Data(shipment.bytes)))
    }

    @Test func whatWasCancelledLeavesNothing() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let storage = shipment.storage(.folder(path: bench.folder.path))
            try shipment.breakOff(into: storage, after: 4)
            storage.discard()
            #expect(bench.names == [])
            // Neither does a storage that is released without it.
            try shipment.breakOff(into: shipment.storage(.folder(path: bench.folder.path)), after: 4)
            #expect(bench.names == [])
        }
    }

    @Test func aLaterTransferEndsTheOneBefore() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let storage = shipment.storage(.folder(path: bench.folder.path))
            let (before, _) = try shipment.begin(into: storage, atMost: 4)
            let (after, missing) = try shipment.begin(into: storage)
            #expect(missing.count == shipment.entry.layout.chunkCount - 4)
            #expect(throws: PeerError.notPartOfTransfer) { try shipment.write([0], to: before) }
            before.abandon()
            try after.finish(shipment.entry)
            _ = try after.commit()
            #expect(throws: PeerError.notPartOfTransfer) { try after.commit() }
            // The receipt may have been lost.
            #expect(try shipment.bring(into: storage) == [])
            #expect(bench.names == ["Tour.gpx"] && storage.received == .file(path: bench.url("Tour.gpx").path))
        }
    }

    @Test func memoryHasALimit() throws {
        let shipment = try Shipment(size: 100)
        for limit in [99, 0, -1] {
            let storage = shipment.storage(.memory(limit: limit))
            let error = try #require(throws: PeerError.self) { try storage.examine(shipment.source.manifest) }
            #expect(error.code == .invalidArgument)
            #expect(throws: error) { try storage.begin(shipment.source.manifest, accepting: [.file]) }
        }
        // Nothing of this size could be allocated.
        let id = UUID()
        let layout = try #require(ChunkLayout(size: ChunkLayout.maximumSize))
        let name = ResourceName(kind: .file, id: id)
        let entry = ManifestEntry(name: name, layout: layout, digest: shipment.entry.digest)
        let manifest = try Manifest(id: id, describing: ["id": id.uuidString], entries: [entry])
        let storage = ResourceStorage(.memory(limit: 1 << 20), offeredName: "", offeredSize: layout.size, partials: nil)
        #expect(throws: PeerError.self) { try storage.examine(manifest) }
    }

    @Test func anotherManifestThanOfferedIsRefused() async throws {
        try await Bench.with { bench in
            let (shipment, other) = (try Shipment(size: 100), try Shipment(size: 101))
            let storage = shipment.storage(.folder(path: bench.folder.path))
            #expect(throws: PeerError.otherThanOffered) { try storage.examine(other.source.manifest) }
            let id = UUID()
            let entries = [ResourceKind.file, .waypoints].map { kind in
                ManifestEntry(
                    name: ResourceName(kind: kind, id: id),
                    layout: shipment.entry.layout,
                    digest: shipment.entry.digest
                )
            }
            for wrong in [entries, [entries[1]], []] {
                let manifest = try Manifest(id: id, describing: ["id": id.uuidString], entries: wrong)
                #expect(throws: PeerError.otherThanOffered) { try storage.examine(manifest) }
                #expect(throws: PeerError.otherThanOffered) { try storage.begin(manifest, accepting: [.file]) }
            }
            #expect(!storage.understands(.mbtiles) && storage.understands(.file))
        }
    }

    @Test func onlyWholeChunksInsideTheResourceAreWritten() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 40_000)
            let storage = shipment.storage(.folder(path: bench.folder.path))
            let (transfer, _) = try shipment.begin(into: storage, atMost: 0)
            let chunk = ByteBuffer(repeating: 1, count: 16_384)
            let cases: [(UInt64, ByteBuffer)] = [
                (1, chunk), (0, ByteBuffer(repeating: 1, count: 100)), (32_768, chunk), (.max, chunk), (49_152, chunk),
            ]
            for (offset, buffer) in cases {
                #expect(throws: PeerError.otherThanOffered) {
                    try transfer.write([buffer], at: offset, of: shipment.entry)
                }
            }
            #expect(throws: PeerError.notPartOfTransfer) { try transfer.finish(shipment.entry) }
            #expect(throws: PeerError.notPartOfTransfer) { try transfer.commit() }
        }
    }

    @Test(arguments: ["missing/x.gpx", "file/x.gpx"]) func aPlaceThatIsNoneIsRefused(path: String) async throws {
        try await Bench.with { bench in
            try Data().write(to: bench.url("file"))
            let shipment = try Shipment(size: 100)
            for destination in [
                ResourceDestination.file(path: bench.url(path).path), .folder(path: bench.url(path).path),
            ] {
                let error = try #require(throws: PeerError.self) {
                    try shipment.storage(destination).examine(shipment.source.manifest)
                }
                #expect(error.code == .invalidArgument && error.remedy != nil)
                #expect(!error.message.contains(bench.folder.path))
            }
        }
    }

    @Test(arguments: ["", "/", "/tmp/..", "/tmp/.", "/tmp/a\u{0}b"]) func aPathThatIsNoneIsRefused(path: String) throws
    {
        let shipment = try Shipment(size: 100)
        #expect(throws: PeerError.noFilePath) {
            try shipment.storage(.file(path: path)).examine(shipment.source.manifest)
        }
    }

    @Test func aFolderMayEndInASlash() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 100)
            let storage = shipment.storage(.folder(path: bench.folder.path + "/"))
            try shipment.bring(into: storage)
            #expect(storage.received == .file(path: bench.url("Tour.gpx").path))
        }
    }
}

extension ReceivedResource {
    var url: URL? {
        if case .file(let path) = self { URL(filePath: path) } else { nil }
    }
}
