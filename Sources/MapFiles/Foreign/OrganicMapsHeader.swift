import FoundationEssentials
import Glibc
import RegionModel

/// The sections of a map of Organic Maps (MWM) that say what it is.
///
/// The file begins with the position of a list of its sections. There is no specification; the code that reads the files is in
/// https://github.com/organicmaps/organicmaps (`files_container.cpp`, `mwm_version.cpp`, `data_header.cpp`).
enum OrganicMapsHeader {
    /// The most sections of a file; maps have about thirty.
    private static let maximumSectionCount: UInt64 = 200

    private static let mark = Array("MWM\0".utf8)

    /// A version below is a day, YYMMDD; others count seconds since 1970.
    private static let firstTime: UInt64 = 10_000_000

    /// Reads the area and the date; the name of a map is that of its file.
    static func read(_ reader: inout HeaderReader) throws -> ForeignHeader {
        try reader.seek(to: try reader.littleEndian(8))
        let count = try reader.varint()
        guard (1...maximumSectionCount).contains(count) else { throw UnreadableHeader() }
        var sections: [String: UInt64] = [:]
        for _ in 0..<count {
            let name = try reader.text()
            let offset = try reader.varint()
            let length = try reader.varint()
            guard length <= reader.size, offset <= reader.size - length else { throw UnreadableHeader() }
            sections[name] = offset
        }
        guard let version = sections["version"] else { throw UnreadableHeader() }
        try reader.seek(to: version)
        guard try reader.bytes(mark.count) == mark else { throw UnreadableHeader() }
        _ = try reader.varint()  // the version of the format
        var header = ForeignHeader()
        header.date = date(try reader.varint())
        if let start = sections["header"] {
            try reader.seek(to: start)
            header.area = try area(&reader)
        }
        return header
    }

    private static func date(_ version: UInt64) -> Date? {
        guard version < firstTime else { return MapDate.date(parsing: String(version)) }
        let (year, month, day) = (version / 10_000, version / 100 % 100, version % 100)
        func digits(_ number: UInt64) -> String { (number < 10 ? "0" : "") + String(number) }
        return MapDate.date(parsing: "20\(digits(year))-\(digits(month))-\(digits(day))")
    }

    private static func area(_ reader: inout HeaderReader) throws -> BoundingBox? {
        let bits = try reader.varint()
        guard (1...32).contains(bits) else { return nil }
        _ = try reader.varint()  // the position to which others refer
        let low = point(try reader.varint())
        let high = point(try reader.varint())
        let extent = Double((UInt64(1) << bits) - 1)
        func degrees(_ value: UInt64) -> Double { Double(value) / extent * 360 - 180 }
        // In the projection of Mercator, with degrees as the unit.
        func latitude(_ value: UInt64) -> Double { atan(tanh(degrees(value) * .pi / 360)) * 360 / .pi }
        return BoundingBox(
            north: latitude(high.y),
            south: latitude(low.y),
            east: degrees(high.x),
            west: degrees(low.x)
        )
    }

    /// Returns the numbers whose bits are at the even and odd places of a signed number in zigzag form.
    private static func point(_ zigzag: UInt64) -> (x: UInt64, y: UInt64) {
        let bits = zigzag >> 1 ^ (zigzag & 1 == 0 ? 0 : UInt64.max)
        var (x, y): (UInt64, UInt64) = (0, 0)
        for place in UInt64(0)..<32 {
            x |= (bits >> (2 * place) & 1) << place
            y |= (bits >> (2 * place + 1) & 1) << place
        }
        return (x, y)
    }
}
