/// Integers of variable length, as they stand in a table of points (LEB128).
struct ColumnBytes {
    var bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    // MARK: Writing

    mutating func append(unsigned value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a number that may be negative: 0, -1, 1, -2 become 0, 1, 2, 3.
    mutating func append(signed value: Int64) {
        append(unsigned: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    // MARK: Reading

    var isAtEnd: Bool { index == bytes.count }

    var remaining: Int { bytes.count - index }

    mutating func byte() -> UInt8? {
        guard index < bytes.count else { return nil }
        index += 1
        return bytes[index - 1]
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        index += count
        return bytes[index - count..<index]
    }

    /// Returns a number; nil if it is cut off or has more than 64 bits.
    mutating func unsigned() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = byte() else { return nil }
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { return nil }
            value |= bits << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    mutating func signed() -> Int64? {
        unsigned().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// Returns a number that is at most a limit; nil if it is larger.
    mutating func count(atMost limit: Int) -> Int? {
        guard let value = unsigned(), value <= UInt64(limit) else { return nil }
        return Int(value)
    }
}
