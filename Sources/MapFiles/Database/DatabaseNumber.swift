/// The numbers in the pages of SQLite files. (SQLite's file format, section 1.6.)
enum DatabaseNumber {
    /// Returns a number in seven bits of each byte, the highest first; less than 2⁵⁶.
    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes = [UInt8(truncatingIfNeeded: value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F | 0x80))
            rest >>= 7
        }
        return bytes.reversed()
    }

    /// Reads such a number of up to nine bytes, the last of which has eight bits; nil if it does not end on the page.
    static func varint(_ page: [UInt8], _ position: inout Int, before end: Int) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard position >= 0, position < end else { return nil }
            let byte = UInt64(page[position])
            position += 1
            if index == 8 { return value << 8 | byte }
            value = value << 7 | byte & 0x7F
            if byte < 0x80 { return value }
        }
        return nil
    }

    /// Reads a number of four bytes; nil if it does not end on the page.
    static func word(_ page: [UInt8], at position: Int, before end: Int) -> UInt32? {
        guard position >= 0, position + 4 <= end else { return nil }
        return (0..<4).reduce(0) { $0 << 8 | UInt32(page[position + $1]) }
    }
}

extension FixedWidthInteger {
    /// The bytes, the highest first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
