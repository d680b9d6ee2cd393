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

    /// The number of points; at least 1.
    private(set) var pointCount: Int
    /// The indices of the points with which segments begin; the first is 0.
    private(set) var segmentStarts: [Int]
    /// The values of all points, by the number of the column.
    private(set) var columns: [UInt8: [Int64]] = [:]

    init(pointCount: Int, segmentStarts: [Int] = [0]) {
        self.pointCount = pointCount
        self.segmentStarts = segmentStarts.first == 0 ? segmentStarts : [0]
    }

    private static func range(of column: UInt8) -> ClosedRange<Int64> {
        switch Column(rawValue: column) {
        case .latitude: -900_000_000...900_000_000
        case .longitude: -1_800_000_000...1_800_000_000
        case .elevation: -12_000_000...100_000_000
        case .time: -62_135_596_800_000...253_402_300_799_999
        case nil: SensorValues.range
        }
    }

    private static func isKnown(_ column: UInt8) -> Bool {
        Column(rawValue: column) != nil || TrackSensor(rawValue: column) != nil
    }

    /// Sets a column; values that are not in range are missing, and a column without values is left out.
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
            out.bytes.append(column)
            out.append(unsigned: UInt64(flags.count + numbers.bytes.count))
            out.bytes += flags + numbers.bytes
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

    /// Reads a compressed table from untrusted bytes; unknown columns are skipped.
    package init(decoding data: Data, atMost limit: Int = ModelLimits.maximumPointCount) throws(RegionStoreError) {
        let (outcome, inflated) = TrackCodec.inflated(data, as: .raw, atMost: Self.maximumLength)
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
