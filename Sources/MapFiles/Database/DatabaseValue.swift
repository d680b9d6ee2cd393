/// A value in a row of an SQLite file.
enum DatabaseValue {
    case null
    case integer(Int)
    case text(String)
    case bytes([UInt8])

    /// The number that says what the value is and how long. (SQLite's file format, section 2.1.)
    private var type: UInt64 {
        switch self {
        case .null: 0
        case .integer(0): 8
        case .integer(1): 9
        case .integer(let value): Self.type(ofLength: Self.length(of: value))
        case .text(let text): 13 + 2 * UInt64(text.utf8.count)
        case .bytes(let bytes): 12 + 2 * UInt64(bytes.count)
        }
    }

    private func append(to record: inout [UInt8]) {
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

    /// Returns the number of bytes of a value of a type.
    static func length(ofType type: UInt64) -> Int {
        switch type {
        case 0...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 8...11: 0
        default: Int(clamping: (type - 12) / 2)
        }
    }

    /// Returns a row with these values.
    static func record(_ values: [DatabaseValue]) -> [UInt8] {
        let types = values.flatMap { DatabaseNumber.varint($0.type) }
        // The length counts itself, and no row here has so many columns that it needs two bytes.
        return values.reduce(into: DatabaseNumber.varint(UInt64(types.count + 1)) + types) { $1.append(to: &$0) }
    }
}
