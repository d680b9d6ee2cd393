/// The header of a PMTiles archive of version 3.
///
/// Specification: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
struct PMTilesHeader: Hashable, Sendable {
    /// The number of bytes.
    static let length = 127

    /// How bytes are compressed.
    enum Compression: String, CaseIterable {
        // In the order of their numbers, with their names for a person.
        case unknown = "an unknown compression"
        case none = "no compression"
        case gzip
        case brotli = "Brotli"
        case zstd = "Zstandard"
    }

    /// What the tiles are.
    enum TileType: String, CaseIterable {
        // In the order of their numbers, with the values of `format` in the metadata of MBTiles files.
        case unknown
        case mvt = "pbf"
        case png
        case jpeg = "jpg"
        case webp
        case avif
        case mlt

        /// Whether the tiles hold shapes, which MBTiles files store in gzip.
        var isVector: Bool { self == .mvt || self == .mlt }
    }

    /// A part of the file.
    struct Section: Hashable, Sendable {
        var offset: UInt64
        var length: UInt64

        /// Returns a part of the part; nil if it is not within it.
        func part(at start: UInt64, length count: UInt64) -> Section? {
            guard count <= length, start <= length - count else { return nil }
            return Section(offset: offset + start, length: count)
        }
    }

    var root: Section
    var metadata: Section
    var leaves: Section
    var tiles: Section
    var internalCompression: Compression
    var tileCompression: Compression
    var tileType: TileType
    var zoomLevels: ClosedRange<Int>
    /// West, south, east and north, in units of 0.0000001°.
    var bounds: [Int32]
    /// The longitude and the latitude of the centre, in units of 0.0000001°.
    var center: [Int32]
    var centerZoom: Int

    /// Reads a header.
    ///
    /// The counts of tiles in it are not read: what they say is known only when all entries were read. Neither are the lengths of
    /// the leaf directories and of the tiles, which no reader needs and some programs write wrong: each entry says where its bytes
    /// are, and must be within the file.
    ///
    /// - Parameter size: The size of the file, in bytes.
    init(_ bytes: [UInt8], fileSize size: UInt64) throws(ArchiveFault) {
        guard bytes.count >= Self.length else { throw ArchiveFault("it is cut off after \(bytes.count) bytes") }
        func number(_ offset: Int, _ count: Int = 8) -> UInt64 {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func degrees(_ offset: Int) -> Int32 { Int32(truncatingIfNeeded: number(offset, 4)) }
        func section(_ offset: Int, _ what: String) throws(ArchiveFault) -> Section {
            let part = Section(offset: 0, length: size).part(at: number(offset), length: number(offset + 8))
            guard let part else {
                throw ArchiveFault("\(what) would be behind the end of the file, which has \(size) bytes")
            }
            return part
        }
        root = try section(8, "its directory")
        metadata = try section(24, "its metadata")
        func rest(_ offset: Int) -> Section {
            let start = min(number(offset), size)
            return Section(offset: start, length: size - start)
        }
        leaves = rest(40)
        tiles = rest(56)
        internalCompression = Self.value(bytes[97]) ?? .unknown
        tileCompression = Self.value(bytes[98]) ?? .unknown
        tileType = Self.value(bytes[99]) ?? .unknown
        let (lowest, highest) = (Int(bytes[100]), Int(bytes[101]))
        guard lowest <= highest, highest <= 30 else {
            throw ArchiveFault("it states zoom levels \(lowest) to \(highest)")
        }
        zoomLevels = lowest...highest
        bounds = [102, 106, 110, 114].map(degrees)
        centerZoom = Int(bytes[118])
        center = [119, 123].map(degrees)
    }

    private static func value<Value: CaseIterable>(_ number: UInt8) -> Value? {
        Array(Value.allCases).dropFirst(Int(number)).first
    }

    /// What the header says, by the keys that MBTiles files use.
    var mbtilesMetadata: [String: String] {
        var metadata: [String: String] = [:]
        func degrees(_ number: Int32) -> String { "\(Double(number) / 10_000_000)" }
        metadata["format"] = tileType == .unknown ? nil : tileType.rawValue
        // An archive without bounds has zeros, or the whole world.
        if bounds[0] < bounds[2], bounds[1] < bounds[3] {
            metadata["bounds"] = bounds.map(degrees).joined(separator: ",")
            if zoomLevels.contains(centerZoom) {
                metadata["center"] = (center.map(degrees) + ["\(centerZoom)"]).joined(separator: ",")
            }
        }
        return metadata
    }
}
