/// The bytes of a FIT file, one after the other, and their checksum.
struct FITInput {
    /// The file ends early.
    struct Ended: Error {}

    private static let table: [UInt16] = [
        0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
        0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
    ]

    private let source: () throws -> [UInt8]
    private var piece: [UInt8] = []
    private var index = 0
    /// The checksum of the bytes that were taken since it was set to 0.
    var checksum: UInt16 = 0

    init(_ source: @escaping () throws -> [UInt8]) { self.source = source }

    /// Takes a byte; nil at the end of the file.
    mutating func next() throws -> UInt8? {
        if index == piece.count {
            piece = try source()
            index = 0
        }
        guard index < piece.count else { return nil }
        let byte = piece[index]
        index += 1
        let low = checksum >> 4 & 0x0FFF ^ Self.table[Int(checksum & 0xF)] ^ Self.table[Int(byte & 0xF)]
        checksum = low >> 4 & 0x0FFF ^ Self.table[Int(low & 0xF)] ^ Self.table[Int(byte >> 4)]
        return byte
    }

    /// Takes bytes.
    mutating func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            guard let byte = try next() else { throw Ended() }
            bytes.append(byte)
        }
        return bytes
    }
}
