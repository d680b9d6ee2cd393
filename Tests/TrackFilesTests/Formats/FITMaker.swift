import Foundation

/// Makes FIT files: the bytes as the protocol has them.
struct FITMaker {
    /// A field of a definition.
    struct Field {
        var number: UInt8
        var size: UInt8
        var type: UInt8

        static func uint8(_ number: UInt8) -> Field { Field(number: number, size: 1, type: 2) }
        static func sint8(_ number: UInt8) -> Field { Field(number: number, size: 1, type: 1) }
        static func choice(_ number: UInt8) -> Field { Field(number: number, size: 1, type: 0) }
        static func uint16(_ number: UInt8) -> Field { Field(number: number, size: 2, type: 0x84) }
        static func uint32(_ number: UInt8) -> Field { Field(number: number, size: 4, type: 0x86) }
        static func sint32(_ number: UInt8) -> Field { Field(number: number, size: 4, type: 0x85) }
        static func text(_ number: UInt8, _ size: UInt8) -> Field { Field(number: number, size: size, type: 7) }
    }

    private(set) var messages: [UInt8] = []
    var isBigEndian = false
    private var definitions: [UInt8: [Field]] = [:]

    mutating func define(_ local: UInt8, _ message: UInt16, _ fields: [Field], developer: [UInt8] = []) {
        definitions[local] = fields
        messages += [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBigEndian ? 1 : 0]
        messages += number(Int64(message), 2) + [UInt8(fields.count)]
        for field in fields { messages += [field.number, field.size, field.type] }
        guard !developer.isEmpty else { return }
        messages.append(UInt8(developer.count))
        for size in developer { messages += [0, size, 0] }
    }

    /// Adds a message; texts follow the numbers.
    mutating func add(_ local: UInt8, _ values: [Int64], texts: [String] = [], developer: [UInt8] = []) {
        messages.append(local)
        addValues(local, values, texts)
        messages += developer
    }

    /// Adds a message whose time has only its last bits.
    mutating func addShort(_ local: UInt8, time: UInt32, _ values: [Int64]) {
        messages.append(0x80 | local << 5 | UInt8(time & 0x1F))
        addValues(local, values, [])
    }

    private mutating func addValues(_ local: UInt8, _ values: [Int64], _ texts: [String]) {
        var (values, texts) = (values[...], texts[...])
        for field in definitions[local] ?? [] {
            if field.type == 7 {
                let text = Array((texts.popFirst() ?? "").utf8).prefix(Int(field.size))
                messages += text + Array(repeating: 0, count: Int(field.size) - text.count)
            } else {
                messages += number(values.popFirst() ?? 0, Int(field.size))
            }
        }
    }

    private func number(_ value: Int64, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// The file with its header and checksum.
    func finished(headerLength: Int = 14) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(headerLength), 0x20, 0x54, 0x08]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: messages.count >> (8 * $0)) } + Array(".FIT".utf8)
        if headerLength == 14 { bytes += Self.checksum(bytes) }
        bytes += messages
        return bytes + Self.checksum(bytes)
    }

    /// The checksum bit by bit: CRC-16 with the polynomial 0xA001.
    static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
        }
        return [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    static func semicircles(_ degrees: Double) -> Int64 { Int64((degrees * 2_147_483_648 / 180).rounded()) }
}

extension FITMaker {
    static let start: Int64 = 1_100_000_000

    /// An activity with two segments, all sensors, short times and a field of an application.
    static func activity(isBigEndian: Bool = false) -> FITMaker {
        var maker = FITMaker()
        maker.isBigEndian = isBigEndian
        maker.define(0, 0, [.choice(0), .uint32(4)])
        maker.add(0, [4, start])
        maker.define(
            1,
            20,
            [
                .uint32(253), .sint32(0), .sint32(1), .uint16(2), .uint8(3), .uint8(4), .uint16(6), .uint16(7),
                .sint8(13),
            ],
            developer: [2]
        )
        maker.define(2, 21, [.uint32(253), .choice(0), .choice(1)])
        maker.define(3, 20, [.sint32(0), .sint32(1), .uint32(78), .uint32(73)])
        for index in 0..<4 as Range<Int64> {
            let place = (semicircles(42.5 + Double(index) / 1000), semicircles(1.5 - Double(index) / 1000))
            let elevation = (1500 + index + 500) * 5
            maker.add(
                1,
                [start + index, place.0, place.1, elevation, 100 + index, 60, 1250, 200, -5],
                developer: [1, 2]
            )
        }
        maker.add(2, [start + 4, 0, 4])
        for index in 0..<40 as Range<Int64> {
            let time = UInt32(start + 10 + index)
            let place = (semicircles(42.51 + Double(index) / 1000), semicircles(1.49))
            maker.addShort(3, time: time, [place.0, place.1, (1600 + 500) * 5, 1500])
        }
        // Not yet a position.
        maker.add(
            1,
            [start + 60, 0x7FFF_FFFF, 0x7FFF_FFFF, 0xFFFF, 0xFF, 0xFF, 0xFFFF, 0xFFFF, 0x7F],
            developer: [0, 0]
        )
        maker.define(4, 18, [.choice(5)])
        maker.add(4, [17])
        return maker
    }

    /// A course with two points.
    static func course() -> FITMaker {
        var maker = FITMaker()
        maker.define(0, 0, [.choice(0)])
        maker.add(0, [6])
        maker.define(1, 31, [.text(5, 16), .choice(4)])
        maker.add(1, [17], texts: ["Pic Alt"])
        maker.define(2, 20, [.uint32(253), .sint32(0), .sint32(1), .uint16(2)])
        for index in 0..<3 as Range<Int64> {
            let place = (semicircles(42.5 + Double(index) / 100), semicircles(1.5))
            maker.add(2, [start + index, place.0, place.1, (1500 + 10 * index + 500) * 5])
        }
        maker.define(3, 32, [.sint32(2), .sint32(3), .choice(5), .text(6, 12)])
        maker.add(3, [semicircles(42.51), semicircles(1.5), 3], texts: ["Font"])
        maker.add(3, [semicircles(42.52), semicircles(1.5), 1], texts: ["Cim"])
        return maker
    }
}
