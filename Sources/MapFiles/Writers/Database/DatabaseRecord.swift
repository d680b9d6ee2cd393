/// A value in a row of an SQLite file.
enum DatabaseValue {
    case null
    case integer(Int)
    case text(String)
    case bytes([UInt8])

    /// The number that says what the value is and how long. (SQLite's file format, section 2.1.)
    fileprivate var type: UInt64 {
        switch self {
        case .null: 0
        case .integer(0): 8
        case .integer(1): 9
        case .integer(let value): Self.type(ofLength: Self.length(of: value))
        case .text(let text): 13 + 2 * UInt64(text.utf8.count)
        case .bytes(let bytes): 12 + 2 * UInt64(bytes.count)
        }
    }

    fileprivate func append(to record: inout [UInt8]) {
        switch self {
        case .null, .integer(0), .integer(1): break
        case .integer(let value): record += value.bigEndianBytes.suffix(Self.length(of: value))
        case .text(let text): record += text.utf8
        case .bytes(let bytes): record += bytes
        }
    }

    /// Returns the number of bytes in which a number is stored.
    private static func length(of value: Int) -> Int {
        [1, 2, 3, 4, 6].first { (-1 << ($0 * 8 - 1)..<1 << ($0 * 8 - 1)).contains(value) } ?? 8
    }

    private static func type(ofLength length: Int) -> UInt64 {
        switch length {
        case 6: 5
        case 8: 6
        default: UInt64(length)
        }
    }
}

/// A row in the form in which SQLite stores it.
enum DatabaseRecord {
    /// Returns a row with these values.
    static func bytes(_ values: [DatabaseValue]) -> [UInt8] {
        let types = values.flatMap { number($0.type) }
        // The length counts itself, and no row here has so many columns that it needs two bytes.
        var record = number(UInt64(types.count + 1)) + types
        for value in values { value.append(to: &record) }
        return record
    }

    /// Returns a number in seven bits of each byte, the highest first; less than 2⁵⁶.
    static func number(_ value: UInt64) -> [UInt8] {
        var bytes = [UInt8(truncatingIfNeeded: value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F | 0x80))
            rest >>= 7
        }
        return bytes.reversed()
    }
}
