package import FoundationEssentials
import PeerProtocol
package import RegionModel

/// Encodes the points of a track as `SavedRoute.trackData`, and decodes them.
///
/// A point is 20 bytes: latitude, longitude and elevation as little-endian `Float32`, and the seconds since 2001 as
/// little-endian `Float64`. The points stand back to back, compressed as raw DEFLATE. There is no way to say that a
/// value is unknown, so:
///
/// - a missing elevation or time between two known ones is interpolated, before the first or after the last it is
///   theirs;
/// - if all elevations are missing they are 0, and a track of which all elevations are 0 is read as having none;
/// - if all times are missing they are the start time, and a track of several points of which all times are equal is
///   read as having none.
package enum TrackCodec {
    /// Compresses bytes as Apple's `COMPRESSION_ZLIB` does; nil if zlib has no memory.
    static func compressed(_ bytes: [UInt8]) -> Data? {
        Deflate.compress(bytes, as: .raw, level: 5).map { Data($0) }
    }

    /// The maximum number of points of a track.
    package static let maximumPointCount = ModelLimits.maximumPointCount

    static let recordLength = 20

    /// Encodes points.
    ///
    /// No points give no bytes.
    ///
    /// - Parameters:
    ///   - points: The points.
    ///   - startTime: The time of all points if no point has a time.
    /// - Returns: The data.
    /// - Throws: `RegionStoreError` `invalidArgument` if there are more than ``maximumPointCount`` points.
    package static func encode(_ points: [TrackPoint], startTime: Date) throws(RegionStoreError) -> Data {
        guard points.count <= maximumPointCount else {
            throw RegionStoreError(
                .invalidArgument,
                "The track has more than \(maximumPointCount) points.",
                remedy: "Split it."
            )
        }
        guard !points.isEmpty else { return Data() }
        let elevations = TrackGaps.filled(points.map(\.elevation)) ?? []
        let times = TrackGaps.filled(points.map { $0.time?.timeIntervalSinceReferenceDate }) ?? []

        var records: [UInt8] = []
        records.reserveCapacity(points.count * recordLength)
        for (index, point) in points.enumerated() {
            append(Float(point.coordinate.latitude).bitPattern, to: &records)
            append(Float(point.coordinate.longitude).bitPattern, to: &records)
            append(Float(elevations.isEmpty ? 0 : elevations[index]).bitPattern, to: &records)
            let time = times.isEmpty ? startTime.timeIntervalSinceReferenceDate : times[index]
            append(time.bitPattern, to: &records)
        }
        // Readers treat data that do not inflate as uncompressed records.
        return compressed(records) ?? Data(records)
    }

    /// Decodes track data.
    ///
    /// The form of Android (RFC 1950, seconds since 1970) and uncompressed records are supported too. An incomplete record at
    /// the end is ignored. An elevation or time that is not a number counts as missing.
    ///
    /// - Parameters:
    ///   - data: Untrusted track data.
    ///   - startTime: The start of the hike, which distinguishes seconds since 1970 from those since 2001.
    ///   - limit: The maximum number of points; decoding stops after it.
    /// - Returns: The points.
    /// - Throws: `RegionStoreError` `invalidFile` if the data are not a track, are incomplete, or have a coordinate
    ///   that is not valid or more points than the limit.
    package static func decode(
        _ data: Data,
        startTime: Date?,
        limit: Int = TrackCodec.maximumPointCount
    ) throws(RegionStoreError) -> [TrackPoint] {
        guard !data.isEmpty else { return [] }
        var records = try records(of: data, limit: limit)
        if startTime.map({ records.countsFrom1970(startTime: $0) }) == true { records.shiftTimes() }
        return records.points()
    }

    /// Checks that track data can be read, without keeping the points.
    ///
    /// - Throws: `RegionStoreError` `invalidFile` as ``decode(_:startTime:limit:)`` does.
    package static func check(_ data: Data) throws(RegionStoreError) {
        guard !data.isEmpty else { return }
        _ = try records(of: data, limit: maximumPointCount, keepsPoints: false)
    }

    private static func records(
        of data: Data,
        limit: Int,
        keepsPoints: Bool = true
    ) throws(RegionStoreError) -> TrackRecords {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(RegionStoreError) in
                try records(in: bytes, limit: limit, keepsPoints: keepsPoints)
            }
        }
        return try result.get()
    }

    private static func records(
        in bytes: UnsafeRawBufferPointer,
        limit: Int,
        keepsPoints: Bool
    ) throws(RegionStoreError) -> TrackRecords {
        for format in [Deflate.Format.zlib, .raw] where format.isPossible(bytes) {
            var records = TrackRecords(limit: limit, keepsPoints: keepsPoints)
            switch Deflate.inflate(bytes, as: format, into: { records.append($0) }) {
            case .complete:
                try records.check()
                return records
            case .stopped:
                try records.check()
            case .broken:
                continue
            }
        }
        guard bytes.count % recordLength == 0 else {
            throw RegionStoreError(.invalidFile, "The track cannot be unpacked: it is damaged or truncated.")
        }
        var records = TrackRecords(limit: limit, keepsPoints: keepsPoints)
        _ = bytes.withMemoryRebound(to: UInt8.self) { records.append($0) }
        try records.check()
        return records
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// Fills gaps in the values of a track.
enum TrackGaps {
    /// Interpolates missing values between their neighbours and repeats the first and last; nil if all are missing.
    static func filled(_ values: [Double?]) -> [Double]? {
        guard let first = values.first(where: { $0 != nil }) ?? nil else { return nil }
        var result: [Double] = []
        result.reserveCapacity(values.count)
        var last = first
        var lastIndex: Int?
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            let missing = index - result.count
            for step in 0..<missing {
                let share = lastIndex == nil ? 1 : Double(step + 1) / Double(missing + 1)
                result.append(last + (value - last) * share)
            }
            result.append(value)
            last = value
            lastIndex = index
        }
        result.append(contentsOf: repeatElement(last, count: values.count - result.count))
        return result
    }
}
