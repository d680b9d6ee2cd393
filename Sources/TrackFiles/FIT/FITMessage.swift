/// The fields of a data message.
struct FITMessage {
    private let definition: FITDefinition
    private let bytes: [UInt8]

    init(_ definition: FITDefinition, _ bytes: [UInt8]) {
        self.definition = definition
        self.bytes = bytes
    }

    private func field(_ number: UInt8) -> (field: FITDefinition.Field, bytes: ArraySlice<UInt8>)? {
        var start = 0
        for field in definition.fields {
            if field.number == number {
                let end = start + field.size
                return end <= bytes.count ? (field, bytes[start..<end]) : nil
            }
            start += field.size
        }
        return nil
    }

    /// Returns the first number of a field; nil if there is none, or if it says that it is not known.
    func number(_ number: UInt8) -> Int64? {
        guard let (field, bytes) = field(number), let (width, isSigned, isZeroUnknown) = Self.form(field.type),
            bytes.count >= width
        else { return nil }
        let value = bytes.prefix(width).number(isBigEndian: definition.isBigEndian)
        let bits = UInt64(width * 8)
        let top: UInt64 = 1 << bits - 1
        if isSigned {
            guard value != top >> 1 else { return nil }
            return value > top >> 1 ? Int64(value) - Int64(top) - 1 : Int64(value)
        }
        return value == (isZeroUnknown ? 0 : top) ? nil : Int64(value)
    }

    /// Returns a number with its scale and offset; nil if it is not known.
    func value(_ number: UInt8, scale: Double = 1, offset: Double = 0) -> Double? {
        self.number(number).map { Double($0) / scale - offset }
    }

    /// Returns an angle in degrees; nil if it is not known.
    func degrees(_ number: UInt8) -> Double? {
        self.number(number).map { Double($0) * (180 / 2_147_483_648) }
    }

    /// Returns a text up to its end; empty if there is none.
    func text(_ number: UInt8) -> String {
        guard let (field, bytes) = field(number), field.type & 0x1F == 7 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The width of an integer of up to 32 bits, whether it has a sign, and whether 0 says that it is not known.
    private static func form(_ type: UInt8) -> (width: Int, isSigned: Bool, isZeroUnknown: Bool)? {
        switch type & 0x1F {
        case 0, 2, 13: (1, false, false)
        case 1: (1, true, false)
        case 3: (2, true, false)
        case 4: (2, false, false)
        case 5: (4, true, false)
        case 6: (4, false, false)
        case 10: (1, false, true)
        case 11: (2, false, true)
        case 12: (4, false, true)
        default: nil
        }
    }
}
