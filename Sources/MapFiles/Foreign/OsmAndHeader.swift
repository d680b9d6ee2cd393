import FoundationEssentials
import Glibc
import RegionModel

/// The parts of a map of OsmAnd (OBF).
///
/// The file is a message of Protocol Buffers whose long parts have a length of 4 or 8 bytes, as type 6. Specification:
/// https://github.com/osmandapp/OsmAnd-resources/blob/master/protos/OBF.proto
enum OsmAndHeader {
    /// The most parts that are looked at; a map has less than ten.
    private static let maximumPartCount = 1000

    /// The fields of the file.
    private enum Part {
        static let version: UInt64 = 1
        static let map: UInt64 = 6
        static let date: UInt64 = 18
        static let confirmedVersion: UInt64 = 32
    }

    /// Reads the name, the area and the date: those of the parts with a map.
    ///
    /// The last part repeats the version, so a file that was not downloaded to its end is not one.
    static func read(_ reader: inout HeaderReader) throws -> ForeignHeader {
        var header = ForeignHeader()
        guard try reader.varint() == Part.version << 3 else { throw UnreadableHeader() }
        let version = try reader.varint()
        for _ in 0..<maximumPartCount {
            let tag = try reader.varint()
            switch (tag >> 3, tag & 7) {
            case (Part.date, 0):
                header.date = MapDate.date(parsing: String(try reader.varint() / 1000))
            case (Part.map, 6):
                let end = try end(&reader)
                try readMap(&reader, upTo: end, &header)
                try reader.seek(to: end)
            case (Part.confirmedVersion, 0):
                guard try reader.varint() == version else { throw UnreadableHeader() }
                return header
            default: try skip(tag & 7, &reader)
            }
        }
        throw UnreadableHeader()
    }

    /// Reads the length of a part and returns its end.
    private static func end(_ reader: inout HeaderReader) throws -> UInt64 {
        let first = UInt64(try reader.byte())
        var length = first & 0x7F
        for _ in 0..<(first < 0x80 ? 3 : 7) { length = length << 8 | UInt64(try reader.byte()) }
        guard length <= reader.size - reader.position else { throw UnreadableHeader() }
        return reader.position + length
    }

    private static func skip(_ type: UInt64, _ reader: inout HeaderReader) throws {
        switch type {
        case 0: _ = try reader.varint()
        case 1: try reader.skip(8)
        case 2: try reader.skip(try reader.varint())
        case 5: try reader.skip(4)
        case 6: try reader.seek(to: try end(&reader))
        default: throw UnreadableHeader()
        }
    }

    /// Reads the name and the area of a part with a map.
    private static func readMap(_ reader: inout HeaderReader, upTo end: UInt64, _ header: inout ForeignHeader) throws {
        var finest: (zoom: UInt64, area: BoundingBox?)?
        while reader.position < end {
            let tag = try reader.varint()
            switch (tag >> 3, tag & 7) {
            case (2, 2):
                let name = try reader.text()
                if header.name == nil { header.name = name.replacing("_", with: " ") }
            case (5, 6):
                let levelEnd = try self.end(&reader)
                let level = try readLevel(&reader, upTo: min(levelEnd, end))
                // Coarse levels may reach farther than the map.
                if level.zoom >= finest?.zoom ?? 0 { finest = level }
                try reader.seek(to: levelEnd)
            default: try skip(tag & 7, &reader)
            }
        }
        header.area = ForeignHeader.union(header.area, finest?.area)
    }

    /// Reads the highest zoom level and the area of a level; its tree comes behind them.
    private static func readLevel(
        _ reader: inout HeaderReader,
        upTo end: UInt64
    ) throws -> (zoom: UInt64, area: BoundingBox?) {
        var values: [UInt64: UInt64] = [:]
        while reader.position < end, values.count < 6 {
            let tag = try reader.varint()
            guard tag & 7 == 0, (1...6).contains(tag >> 3) else { break }
            values[tag >> 3] = try reader.varint()
        }
        guard let zoom = values[1], let left = values[3], let right = values[4], let top = values[5],
            let bottom = values[6]
        else { return (values[1] ?? 0, nil) }
        let area = BoundingBox(
            north: latitude(top),
            south: latitude(bottom),
            east: longitude(right),
            west: longitude(left)
        )
        return (zoom, area)
    }

    /// The number of positions from west to east, and from north to south.
    private static let extent = Double(1 << 31)

    private static func longitude(_ x: UInt64) -> Double { Double(x) / extent * 360 - 180 }

    private static func latitude(_ y: UInt64) -> Double {
        atan(sinh(.pi * (1 - 2 * Double(y) / extent))) * 180 / .pi
    }
}
