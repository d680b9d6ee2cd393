import RegionModel

/// The header of a map of Mapsforge.
///
/// Specification: https://github.com/mapsforge/mapsforge/blob/master/docs/Specification-Binary-Map-File.md
enum MapsforgeHeader {
    private static let mark = Array("mapsforge binary OSM".utf8)

    /// Reads the area, the date and the comment; a map has no name of its own.
    static func read(_ reader: inout HeaderReader) throws -> ForeignHeader {
        guard try reader.bytes(mark.count) == mark else { throw UnreadableHeader() }
        let headerSize = try reader.bigEndian(4)
        _ = try reader.bigEndian(4)  // the version of the format
        // A map that was not downloaded to its end has fewer bytes.
        guard headerSize <= reader.size, try reader.bigEndian(8) == reader.size else { throw UnreadableHeader() }
        var header = ForeignHeader()
        let milliseconds = try reader.bigEndian(8)
        if milliseconds <= UInt64(Int64.max) { header.date = MapDate.date(parsing: String(milliseconds / 1000)) }
        let south = try degrees(&reader)
        let west = try degrees(&reader)
        let north = try degrees(&reader)
        header.area = BoundingBox(north: north, south: south, east: try degrees(&reader), west: west)
        _ = try reader.bigEndian(2)  // the size of the tiles
        _ = try reader.text()  // the projection
        let flags = try reader.byte()
        if flags & 0x40 != 0 { _ = try reader.bytes(8) }  // the position at the start
        if flags & 0x20 != 0 { _ = try reader.byte() }  // the zoom level at the start
        if flags & 0x10 != 0 { _ = try reader.text() }  // the languages
        if flags & 0x08 != 0 { header.attribution = try reader.text() }
        return header
    }

    private static func degrees(_ reader: inout HeaderReader) throws -> Double {
        Double(Int32(truncatingIfNeeded: try reader.bigEndian(4))) / 1e6
    }
}
