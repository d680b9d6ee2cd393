/// The image of a tile.
package enum TileImage {
    /// The number of bytes, at the beginning of a tile, in which its size is looked for.
    package static let beginningLength = 64 * 1024

    /// Returns the width of an image in pixels; nil if the format or the width is unknown.
    ///
    /// Only the first ``beginningLength`` bytes of the image are needed.
    package static func width(ofImageBeginningWith bytes: [UInt8]) -> Int? {
        size(ofImageBeginningWith: bytes)?.width
    }

    /// Returns the width and height of an image in pixels; nil if the format or the size is unknown.
    ///
    /// Only the first ``beginningLength`` bytes of the image are needed.
    package static func size(ofImageBeginningWith bytes: [UInt8]) -> (width: Int, height: Int)? {
        switch TileFormat(tileBeginningWith: Array(bytes.prefix(12))) {
        case .png: pair(number(bytes, at: 16, count: 4), number(bytes, at: 20, count: 4))
        case .jpg: sizeOfJPEG(bytes)
        case .webp: sizeOfWebP(bytes)
        case .pbf, nil: nil
        }
    }

    private static func pair(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    /// Reads the size in the frame header. (ITU-T T.81, B.2.2.)
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            // A segment may be preceded by any number of fill bytes.
            if marker == 0xFF {
                position += 1
                continue
            }
            // Neither the tables of Huffman codes (C4), nor an extension (C8), nor those of arithmetic codes (CC).
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return pair(number(bytes, at: position + 7, count: 2), number(bytes, at: position + 5, count: 2))
            }
            guard let length = number(bytes, at: position + 2, count: 2), length >= 2 else { return nil }
            position += 2 + length
        }
        return nil
    }

    /// Reads the size in the first chunk. (RFC 9649, sections 2.5 to 2.7.)
    private static func sizeOfWebP(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 30 else { return nil }
        func number(_ position: Int, _ count: Int) -> Int {
            bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ": return (number(26, 2) & 0x3FFF, number(28, 2) & 0x3FFF)
        case "VP8L": return (1 + number(21, 2) & 0x3FFF, 1 + number(21, 4) >> 14 & 0x3FFF)
        case "VP8X": return (1 + number(24, 3), 1 + number(27, 3))
        default: return nil
        }
    }

    /// Reads a number with its highest byte first; nil if it is not within the bytes.
    private static func number(_ bytes: [UInt8], at position: Int, count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
