/// A PMTiles archive to be made for a test, right or wrong in any way.
package struct PMTilesBytes: Sendable {
    /// An entry of a directory: of tiles, or with a run length of 0 of a leaf directory.
    package struct Entry: Sendable {
        package var id: UInt64
        package var run: UInt64
        package var length: UInt64
        package var offset: UInt64

        package init(id: UInt64, run: UInt64 = 1, length: UInt64 = 10, offset: UInt64 = 0) {
            (self.id, self.run, self.length, self.offset) = (id, run, length, offset)
        }
    }

    package var version: UInt8 = 3
    package var root: [UInt8]
    package var leaves: [UInt8] = []
    package var tiles = [UInt8](repeating: 7, count: 1000)
    package var metadata = Array("{}".utf8)
    package var internalCompression: UInt8 = 1
    package var tileCompression: UInt8 = 1
    /// PNG.
    package var tileType: UInt8 = 2
    package var zoomLevels: (UInt8, UInt8) = (0, 14)
    /// West, south, east and north, in units of 0.0000001°.
    package var bounds: [Int32] = [0, 0, 0, 0]
    /// Numbers of the header to be replaced, by their offsets.
    package var lies: [Int: UInt64] = [:]

    package init(root: [UInt8]) {
        self.root = root
    }

    package init(_ entries: Entry...) {
        root = Self.directory(entries)
    }

    /// The whole file.
    package var bytes: [UInt8] {
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
    package static func directory(_ entries: [Entry], count: UInt64? = nil) -> [UInt8] {
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

    package static func varint(_ number: UInt64) -> [UInt8] {
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
}
