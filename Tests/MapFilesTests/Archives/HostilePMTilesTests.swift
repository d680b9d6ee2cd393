import Foundation
import PeerStorage
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import MapFiles

/// Archives that want more of the machine than a map may, or that are no archives.
@Suite(.timeLimit(.minutes(10))) struct HostilePMTilesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var expected: String
        var archive: PMTilesBytes

        init(
            _ description: String,
            _ expected: String,
            _ archive: PMTilesBytes,
            _ change: (inout PMTilesBytes) -> Void = { _ in }
        ) {
            (testDescription, self.expected, self.archive) = (description, expected, archive)
            change(&self.archive)
        }
    }

    static let one = PMTilesBytes(.init(id: 0))

    static let headers = [
        Case("version 2", "is not a PMTiles archive of version 3", one) { $0.version = 2 },
        Case("no zoom level 31", "it states zoom levels 0 to 31", one) { $0.zoomLevels = (0, 31) },
        Case("zoom levels turned round", "it states zoom levels 9 to 3", one) { $0.zoomLevels = (9, 3) },
        Case("Brotli", "its directories have Brotli", one) { $0.internalCompression = 3 },
        Case("Zstandard", "its tiles have Zstandard", one) { $0.tileCompression = 4 },
        Case("unknown compression", "its directories have an unknown compression", one) { $0.internalCompression = 0 },
        Case("directory behind the end", "its directory would be behind the end", one) { $0.lies = [8: 1 << 40] },
        Case("directory of 2⁶³ bytes", "its directory would be behind the end", one) { $0.lies = [16: 1 << 63] },
        Case("tiles from 2⁶⁴ on", "the bytes of a tile would be behind the end", one) { $0.lies = [56: .max, 64: 2] },
        Case("metadata behind the end", "its metadata would be behind the end", one) { $0.lies = [32: .max] },
        Case("metadata that are no object", "its metadata are not a JSON object", one) {
            $0.metadata = Array("[]".utf8)
        },
        Case("metadata cut off", "its metadata are not a JSON object", one) {
            $0.metadata = Array(#"{"name": "a"#.utf8)
        },
        Case("metadata in brackets", "its metadata are not a JSON object", one) {
            $0.metadata = Array(#"{"a":"#.utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
        },
        Case("metadata in no gzip", "cannot be decompressed", one) { $0.internalCompression = 2 },
    ]

    static let directories = [
        Case("2⁶³ entries", "states 9223372036854775808 entries", PMTilesBytes(root: PMTilesBytes.varint(1 << 63))),
        Case(
            "2³² entries",
            "states 4294967296 entries",
            PMTilesBytes(root: PMTilesBytes.directory([.init(id: 0)], count: 1 << 32))
        ),
        Case(
            "more entries than any archive",
            "a directory has 140000 entries, more than 131072",
            PMTilesBytes(root: PMTilesBytes.directory((0..<140_000).map { .init(id: $0) }))
        ),
        Case("no bytes", "a directory is cut off", PMTilesBytes(root: [])),
        Case("cut off", "a directory is cut off", PMTilesBytes(root: [1, 0x80, 0x80, 0x80, 0x80])),
        Case(
            "a number of 70 bits",
            "more than 64 bits",
            PMTilesBytes(root: [1] + [UInt8](repeating: 0xFF, count: 9) + [2, 1, 1, 1])
        ),
        Case(
            "bytes behind it",
            "longer than its entries",
            PMTilesBytes(root: PMTilesBytes.directory([.init(id: 0)]) + [0])
        ),
        Case("a tile twice", "are not in order", PMTilesBytes(.init(id: 3), .init(id: 3))),
        Case("ids that pass 2⁶⁴", "are not in order", PMTilesBytes(.init(id: .max), .init(id: 0))),
        Case("a run over the next tile", "more than once", PMTilesBytes(.init(id: 3, run: 3), .init(id: 5))),
        Case("a tile without bytes", "an entry without bytes", PMTilesBytes(.init(id: 3, length: 0))),
        Case("a first tile that follows another", "does not say where", PMTilesBytes(root: [1, 0, 1, 1, 0])),
        Case("a tile past 2⁶⁴", "larger than any file", PMTilesBytes(.init(id: 3, length: .max, offset: 5))),
        Case("a tile behind the tiles", "behind the end of the file", PMTilesBytes(.init(id: 3, length: 1001))),
        Case("a tile far behind", "behind the end of the file", PMTilesBytes(.init(id: 3, length: 1, offset: 1 << 62))),
        Case("a run past the zoom level", "beyond zoom level 1", PMTilesBytes(.init(id: 4, run: 2))) {
            $0.zoomLevels = (0, 1)
        },
        Case("a run past 2⁶⁴", "beyond zoom level 14", PMTilesBytes(.init(id: 4, run: .max))),
        Case("a run of all tiles", "more than 50 million tiles", PMTilesBytes(.init(id: 0, run: 300_000_000))),
        Case(
            "tiles that overlap",
            "the bytes of two tiles overlap",
            PMTilesBytes(.init(id: 0, length: 600, offset: 0), .init(id: 1, length: 600, offset: 400))
        ),
        Case(
            "tiles with one beginning",
            "the bytes of two tiles overlap",
            PMTilesBytes(.init(id: 0, length: 600, offset: 0), .init(id: 1, length: 601, offset: 0))
        ),
    ]

    static let leaf = PMTilesBytes.Entry(id: 0, run: 0, length: 5, offset: 0)

    static let leaves = [
        Case("a leaf among the tiles", "states 7 entries in 5 bytes", PMTilesBytes(leaf)),
        Case(
            "a leaf behind the file",
            "a leaf directory would be behind the end",
            PMTilesBytes(.init(id: 0, run: 0, length: 5, offset: 1 << 40))
        ),
        Case("leaves behind the file", "a leaf directory would be behind the end", PMTilesBytes(leaf)) {
            $0.lies = [40: 5000, 48: 1]
        },
        // The leaf names itself as its leaf.
        Case("a cycle", "more than 4 deep", PMTilesBytes(leaf)) { $0.leaves = [1, 0, 0, 5, 1] },
        Case("a leaf without tiles", "has none of its tiles", PMTilesBytes(.init(id: 0, run: 0, length: 1))) {
            $0.leaves = [0]
        },
        Case("a leaf of earlier tiles", "more than once", PMTilesBytes(.init(id: 0), .init(id: 4, run: 0, length: 5))) {
            $0.leaves = [1, 0, 1, 9, 1]
        },
        Case(
            "one leaf twice",
            "more than once",
            PMTilesBytes(.init(id: 0, run: 0, length: 5), .init(id: 2, run: 0, length: 5))
        ) { $0.leaves = [1, 0, 1, 9, 1] },
        Case("gzip that does not end", "cannot be decompressed", one) {
            $0.internalCompression = 2
            $0.metadata = GzipData.deflate($0.metadata) ?? []
            $0.root = Array((GzipData.deflate($0.root) ?? []).dropLast(9))
        },
        Case("a bomb", "larger than 2097152 bytes", one) {
            $0.internalCompression = 2
            $0.metadata = GzipData.deflate($0.metadata) ?? []
            $0.root = GzipData.deflate([UInt8](repeating: 1, count: 64 << 20)) ?? []
        },
    ]

    @Test(arguments: headers + directories + leaves) func isRefusedWithASentence(row: Case) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            var count = 0
            let error = try #require(throws: RegionStoreError.self) {
                try row.archive.read(in: directory) { _ in count += 1 }
            }
            #expect(error.code == .invalidFile)
            #expect(error.message.hasPrefix("map.pmtiles "), "\(error.message)")
            #expect(error.message.contains(row.expected), "\(error.message)")
            #expect(error.remedy != nil)
            #expect(count == 0, "nothing is read of a file that is refused")
        }
    }

    @Test func everyPrefixAndEveryChangedByteIsReadOrRefused() async throws {
        let leaf = PMTilesBytes.directory([.init(id: 5, run: 2), .init(id: 7, length: 3, offset: 10)])
        var archive = PMTilesBytes(.init(id: 0), .init(id: 1, run: 0, length: UInt64(leaf.count)))
        (archive.leaves, archive.zoomLevels) = (leaf, (0, 3))
        archive.tiles = [UInt8](repeating: 9, count: 13)
        let bytes = archive.bytes
        var generator = SeededGenerator(seed: 17)
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let path = directory.path("map.pmtiles")
            func read(_ bytes: [UInt8]) throws {
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                do {
                    let file = try OpenFile(path, O_RDONLY)
                    let archive = try PMTilesFile(file, called: path, scratch: Folder(directory.path))
                    var last: UInt64 = 0
                    _ = try archive.forEachTile(progress: { _, _ in }) { tile in
                        let key = ColumnNumber(tile.address).value
                        #expect(key >= last)
                        last = key + 1
                    }
                } catch let error as RegionStoreError {
                    #expect(error.code == .invalidFile)
                }
            }
            for length in bytes.indices { try read(Array(bytes[..<length])) }
            for index in bytes.indices {
                for value in [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)] {
                    var changed = bytes
                    changed[index] = value
                    try read(changed)
                }
            }
        }
    }
}
