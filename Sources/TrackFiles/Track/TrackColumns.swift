package import FoundationEssentials
import PeerProtocol
package import RegionModel

/// A table of the points of a track: what `trackData` cannot hold.
///
/// The page "Item formats" describes the bytes. The numbers of a column are differences, so they are small, and a point may lack
/// a value.
package struct TrackColumns: Equatable, Sendable {
    /// The column of a value other than those of sensors.
    package enum Column: UInt8, Sendable {
        /// Ten-millionths of a degree.
        case latitude = 1
        /// Ten-millionths of a degree.
        case longitude = 2
        /// Millimetres above sea level.
        case elevation = 3
        /// Milliseconds since 1970.
        case time = 4
    }

    /// A value that a point does not have.
    static let missing = Int64.min

    /// The maximum length of a table, in bytes, compressed or not.
    static let maximumLength = ModelLimits.maximumTableLength

    private static let latitudes: ClosedRange<Int64> = -900_000_000...900_000_000
    private static let longitudes: ClosedRange<Int64> = -1_800_000_000...1_800_000_000
    private static let elevations: ClosedRange<Int64> = -12_000_000...100_000_000
    private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The number of points; at least 1.
    private(set) var pointCount: Int
    /// The indices of the points with which segments begin; the first is 0.
    private(set) var segmentStarts: [Int]
    /// The values of all points, by the number of the column.
    private(set) var columns: [UInt8: [Int64]] = [:]

    /// Creates a table without columns.
    init(pointCount: Int, segmentStarts: [Int] = [0]) {
        self.pointCount = pointCount
        self.segmentStarts = segmentStarts.first == 0 ? segmentStarts : [0]
    }

    private static func range(of column: UInt8) -> ClosedRange<Int64> {
        switch Column(rawValue: column) {
        case .latitude: latitudes
        case .longitude: longitudes
        case .elevation: elevations
        case .time: times
        case nil: SensorValues.range
        }
    }

    private static func isKnown(_ column: UInt8) -> Bool {
        Column(rawValue: column) != nil || TrackSensor(rawValue: column) != nil
    }

    /// Sets a column.
    ///
    /// Values that are not in range are missing. A column without values is left out.
    mutating func set(_ column: UInt8, _ value: (_ index: Int) -> Int64?) {
        let range = Self.range(of: column)
        let values = (0..<pointCount).map { index in
            value(index).flatMap { range.contains($0) ? $0 : nil } ?? Self.missing
        }
        guard values.contains(where: { $0 != Self.missing }) else { return }
        columns[column] = values
    }

    /// Returns the table without a column.
    package func without(_ column: Column) -> TrackColumns {
        var copy = self
        copy.columns[column.rawValue] = nil
        return copy
    }

    subscript(column: Column, index: Int) -> Int64? {
        columns[column.rawValue].flatMap { $0[index] == Self.missing ? nil : $0[index] }
    }

    // MARK: Writing

    /// Returns the bytes of the table before compression.
    var bytes: [UInt8] {
        var out = ColumnBytes()
        out.append(unsigned: UInt64(pointCount))
        out.append(unsigned: UInt64(segmentStarts.count))
        for (index, start) in segmentStarts.enumerated() {
            let end = index + 1 < segmentStarts.count ? segmentStarts[index + 1] : pointCount
            out.append(unsigned: UInt64(max(0, end - start)))
        }
        for (column, values) in columns.sorted(by: { $0.key < $1.key }) {
            var flags = [UInt8](repeating: 0, count: (pointCount + 7) / 8)
            var numbers = ColumnBytes()
            var previous: Int64 = 0
            for (index, value) in values.enumerated() where value != Self.missing {
                flags[index / 8] |= 1 << UInt8(index % 8)
                numbers.append(signed: value - previous)
                previous = value
            }
            out.append(column)
            out.append(unsigned: UInt64(flags.count + numbers.bytes.count))
            out.append(flags)
            out.append(numbers)
        }
        return out.bytes
    }

    /// Returns the compressed table; nil if it is too long, or if there is no memory to compress it.
    package var encoded: Data? {
        let bytes = bytes
        guard bytes.count <= Self.maximumLength else { return nil }
        return TrackCodec.compressed(bytes).flatMap { $0.count <= Self.maximumLength ? $0 : nil }
    }

    // MARK: Reading

    /// Reads a compressed table.
    ///
    /// Columns that are not known are skipped.
    ///
    /// - Parameters:
    ///   - data: Untrusted bytes.
    ///   - limit: The maximum number of points.
    /// - Throws: `RegionStoreError` `invalidFile` if the bytes are not a table.
    package init(decoding data: Data, atMost limit: Int = ModelLimits.maximumPointCount) throws(RegionStoreError) {
        var inflated: [UInt8] = []
        let outcome = data.withUnsafeBytes { bytes in
            Deflate.inflate(bytes, as: .raw) { piece in
                guard inflated.count + piece.count <= Self.maximumLength else { return false }
                inflated.append(contentsOf: piece)
                return true
            }
        }
        guard case .complete = outcome, let table = Self(ColumnBytes(inflated), limit) else {
            throw RegionStoreError(.invalidFile, "The table of the track's points is damaged.")
        }
        self = table
    }

    private init?(_ source: ColumnBytes, _ limit: Int) {
        var source = source
        guard let pointCount = source.count(atMost: limit), pointCount > 0,
            let segmentCount = source.count(atMost: pointCount), segmentCount > 0
        else { return nil }
        self.pointCount = pointCount
        segmentStarts = []
        var start = 0
        for _ in 0..<segmentCount {
            guard let length = source.count(atMost: pointCount - start), length > 0 else { return nil }
            segmentStarts.append(start)
            start += length
        }
        guard start == pointCount, readColumns(&source) else { return nil }
        let latitudes = columns[Column.latitude.rawValue]
        let longitudes = columns[Column.longitude.rawValue]
        guard (latitudes == nil) == (longitudes == nil),
            [latitudes, longitudes].allSatisfy({ $0?.contains(Self.missing) != true })
        else { return nil }
    }

    private mutating func readColumns(_ source: inout ColumnBytes) -> Bool {
        var last: UInt8 = 0
        while !source.isAtEnd {
            guard let column = source.byte(), column > last,
                let length = source.count(atMost: source.remaining), let content = source.take(length)
            else { return false }
            last = column
            guard Self.isKnown(column) else { continue }
            guard let values = Self.values(Array(content), pointCount, Self.range(of: column)) else { return false }
            columns[column] = values
        }
        return true
    }

    private static func values(_ content: [UInt8], _ pointCount: Int, _ range: ClosedRange<Int64>) -> [Int64]? {
        var source = ColumnBytes(content)
        guard let flags = source.take((pointCount + 7) / 8).map({ Array($0) }) else { return nil }
        var values: [Int64] = []
        values.reserveCapacity(pointCount)
        var previous: Int64 = 0
        for index in 0..<pointCount {
            guard flags[index / 8] >> UInt8(index % 8) & 1 == 1 else {
                values.append(missing)
                continue
            }
            guard let difference = source.signed() else { return nil }
            let (value, isTooLarge) = previous.addingReportingOverflow(difference)
            guard !isTooLarge, range.contains(value) else { return nil }
            values.append(value)
            previous = value
        }
        return source.isAtEnd ? values : nil
    }
}

/// Integers of variable length, as they stand in a table of points (LEB128).
struct ColumnBytes {
    private(set) var bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    // MARK: Writing

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ other: ColumnBytes) {
        bytes += other.bytes
    }

    mutating func append(_ flags: [UInt8]) {
        bytes += flags
    }

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
