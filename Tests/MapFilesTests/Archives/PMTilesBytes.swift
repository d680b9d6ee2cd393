import Foundation
import PeerStorage
import PeerTestSupport

@testable import MapFiles

/// A PMTiles archive to be made for a test, right or wrong in any way.
struct PMTilesBytes: Sendable {
    /// An entry of a directory: of tiles, or with a run length of 0 of a leaf directory.
    struct Entry: Sendable {
        var id: UInt64
        var run: UInt64 = 1
        var length: UInt64 = 10
        var offset: UInt64 = 0
    }

    var version: UInt8 = 3
    var root: [UInt8]
    var leaves: [UInt8] = []
    var tiles = [UInt8](repeating: 7, count: 1000)
    var metadata = Array("{}".utf8)
    var internalCompression: UInt8 = 1
    var tileCompression: UInt8 = 1
    /// PNG.
    var tileType: UInt8 = 2
    var zoomLevels: (UInt8, UInt8) = (0, 14)
    /// West, south, east and north, in units of 0.0000001°.
    var bounds: [Int32] = [0, 0, 0, 0]
    /// Numbers of the header to be replaced, by their offsets.
    var lies: [Int: UInt64] = [:]

    init(root: [UInt8]) {
        self.root = root
    }

    init(_ entries: Entry...) {
        root = Self.directory(entries)
    }

    /// The whole file.
    var bytes: [UInt8] {
        var header = Array("PMTiles".utf8) + [version]
        var offset: UInt64 = 127
        for part in [root, metadata, leaves, tiles] {
            header += Self.number(offset) + Self.number(UInt64(part.count))
            offset += UInt64(part.count)
        }
        header += [UInt8](repeating: 0, count: 24)
        header += [1, internalCompression, tileCompression, tileType, zoomLevels.0, zoomLevels.1]
        header += bounds.flatMap { Self.number(UInt64(UInt32(bitPattern: $0))).prefix(4) }
        header += [zoomLevels.0] + [UInt8](repeating: 0, count: 8)
        for (offset, number) in lies { header.replaceSubrange(offset..<offset + 8, with: Self.number(number)) }
        return header + root + metadata + leaves + tiles
    }

    /// A directory as the archive stores it, without compression.
    static func directory(_ entries: [Entry], count: UInt64? = nil) -> [UInt8] {
        var bytes = varint(count ?? UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            bytes += varint(entry.id &- last)
            last = entry.id
        }
        for entry in entries { bytes += varint(entry.run) }
        for entry in entries { bytes += varint(entry.length) }
        for entry in entries { bytes += varint(entry.offset &+ 1) }
        return bytes
    }

    static func varint(_ number: UInt64) -> [UInt8] {
        var (rest, bytes): (UInt64, [UInt8]) = (number, [])
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func number(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Reads the archive as an import does, and calls `body` with each tile.
    @discardableResult
    func read(in directory: TemporaryDirectory, _ body: (MapTile) throws -> Void = { _ in }) throws -> OmittedEntries {
        let path = directory.path("map.pmtiles")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let archive = try PMTilesFile(OpenFile(path, O_RDONLY), called: "map.pmtiles", scratch: Folder(directory.path))
        return try archive.forEachTile(progress: { _, _ in }, body)
    }
}
