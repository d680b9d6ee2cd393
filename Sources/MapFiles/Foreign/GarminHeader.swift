import RegionModel

/// The header of a map of Garmin (IMG), and the areas of its parts.
///
/// Garmin has published no specification; J. Mechalas has described the format:
/// https://sourceforge.net/projects/garmin-img (`imgformat-1.0.pdf`).
enum GarminHeader {
    /// The most entries of the list of parts that are looked at; with more, the area is not known.
    private static let maximumEntryCount = 4000
    /// The most parts whose areas are read; with more, the area is not known.
    private static let maximumPartCount = 800
    private static let entryLength: UInt64 = 512

    private static let mark = Array("DSKIMG\0".utf8)
    private static let maker = Array("GARMIN\0".utf8)

    /// Reads the name, the area and the date.
    static func read(_ reader: inout HeaderReader) throws -> ForeignHeader {
        reader.key = try reader.byte()
        try reader.seek(to: 0x10)
        guard try reader.bytes(mark.count) == mark else { throw UnreadableHeader() }
        try reader.seek(to: 0x41)
        guard try reader.bytes(maker.count) == maker else { throw UnreadableHeader() }
        var header = ForeignHeader()
        try reader.seek(to: 0x39)
        let year = try reader.littleEndian(2)
        let rest = try reader.bytes(5).map { ($0 < 10 ? "0" : "") + String($0) }
        header.date = MapDate.date(parsing: "\(year)-\(rest[0])-\(rest[1])T\(rest[2]):\(rest[3]):\(rest[4])Z")
        try reader.seek(to: 0x49)
        var name = try reader.bytes(20)
        try reader.seek(to: 0x61)
        let blockBits = UInt64(try reader.byte()) + UInt64(try reader.byte())
        try reader.seek(to: 0x65)
        name += try reader.bytes(30)
        // Latin-1, whose characters have the numbers of Unicode.
        header.name = String(String.UnicodeScalarView(name.prefix { $0 != 0 }.map { Unicode.Scalar($0) }))
        do {
            header.area = try area(&reader, blockBits)
        } catch is UnreadableHeader {
            // The file is one of Garmin's nevertheless.
        }
        return header
    }

    /// Returns the area of all parts; nil if there is none.
    private static func area(_ reader: inout HeaderReader, _ blockBits: UInt64) throws -> BoundingBox? {
        guard (9...24).contains(blockBits) else { throw UnreadableHeader() }
        var offset = entryLength
        // Unused entries come before the one that says where the list ends.
        var flag: UInt8 = 0
        while flag == 0 {
            guard offset <= 64 * entryLength else { throw UnreadableHeader() }
            try reader.seek(to: offset)
            flag = try reader.byte()
            offset += entryLength
        }
        try reader.skip(11)
        let end = try reader.littleEndian(4)
        guard end >= offset, end <= reader.size, (end - offset) / entryLength <= UInt64(maximumEntryCount) else {
            throw UnreadableHeader()
        }
        var starts: [(offset: UInt64, isGroup: Bool)] = []
        for entry in stride(from: offset, to: end, by: Int(entryLength)) {
            try reader.seek(to: entry + 9)
            let type = String(decoding: try reader.bytes(3), as: UTF8.self)
            guard type == "TRE" || type == "GMP" else { continue }
            try reader.skip(4)
            guard try reader.littleEndian(2) == 0 else { continue }
            try reader.seek(to: entry + 32)
            starts.append((try reader.littleEndian(2) << blockBits, type == "GMP"))
            guard starts.count <= maximumPartCount else { throw UnreadableHeader() }
        }
        return try starts.reduce(nil) { ForeignHeader.union($0, try bounds(&reader, $1.offset, $1.isGroup, blockBits)) }
    }

    /// Reads the area of a part: TRE, or GMP, in whose first block it must be.
    private static func bounds(
        _ reader: inout HeaderReader,
        _ start: UInt64,
        _ isGroup: Bool,
        _ blockBits: UInt64
    ) throws -> BoundingBox {
        var start = start
        if isGroup {
            try reader.seek(to: start)
            try reader.skip(0x19)
            let tree = try reader.littleEndian(4)
            guard tree < 1 << blockBits else { throw UnreadableHeader() }
            start += tree
        }
        try reader.seek(to: start)
        try reader.skip(0x15)
        let edges = try (0..<4).map { _ in try degrees(&reader) }
        // North, east, south, west. 180° east does not fit into the number, and is written as 180° west.
        let east = edges[1] == -180 ? 180 : edges[1]
        guard let box = BoundingBox(north: edges[0], south: edges[2], east: east, west: edges[3]), !box.crosses180
        else { throw UnreadableHeader() }
        return box
    }

    private static func degrees(_ reader: inout HeaderReader) throws -> Double {
        let bits = UInt32(truncatingIfNeeded: try reader.littleEndian(3)) << 8
        return Double(Int32(bitPattern: bits)) / Double(UInt32(1) << 31) * 180
    }
}
