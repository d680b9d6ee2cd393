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
/// - if all elevations are missing they are 0, and a track with no other elevation than 0 is read as having none;
/// - if all times are missing they are the start time, and a track of several points with one time is read as having
///   none.
package enum TrackCodec {
    /// Compresses bytes as Apple's `COMPRESSION_ZLIB` does; nil if zlib has no memory.
    static func compressed(_ bytes: [UInt8]) -> Data? {
        Deflate.compress(bytes, as: .raw, level: 5).map { Data($0) }
    }

    /// The maximum number of points of a track.
    package static let maximumPointCount = ModelLimits.maximumPointCount

    static let recordLength = 20

    /// Encodes points, at most ``maximumPointCount``; if no point has a time, all get the start time.
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
    /// - Parameter startTime: The start of the hike, which distinguishes seconds since 1970 from those since 2001.
    /// - Throws: `RegionStoreError` `invalidFile` if the data are not a track, are incomplete, or have a coordinate
    ///   that is not valid or more points than the limit.
    package static func decode(
        _ data: Data,
        startTime: Date?,
        limit: Int = TrackCodec.maximumPointCount
    ) throws(RegionStoreError) -> [TrackPoint] {
        var records: [Record] = []
        try forEachRecord(of: data, limit: limit) { records.append($0) }
        if let startTime, let first = records.first(where: { $0.seconds.isFinite })?.seconds,
            abs(Date(timeIntervalSince1970: first).timeIntervalSince(startTime))
                < abs(Date(timeIntervalSinceReferenceDate: first).timeIntervalSince(startTime))
        {
            for index in records.indices { records[index].seconds -= Date.timeIntervalBetween1970AndReferenceDate }
        }
        let hasElevations = records.contains { $0.elevation != 0 }
        let hasTimes = records.count == 1 || records.contains { $0.seconds != records[0].seconds }
        return records.map { record in
            let time = Date(timeIntervalSinceReferenceDate: record.seconds)
            return TrackPoint(
                coordinate: record.coordinate,
                elevation: hasElevations && TrackPoint.elevations.contains(record.elevation) ? record.elevation : nil,
                time: hasTimes && Timestamp.isPlausible(time) ? time : nil
            )
        }
    }

    /// Checks that track data can be read; throws as ``decode(_:startTime:limit:)`` does.
    package static func check(_ data: Data) throws(RegionStoreError) {
        try forEachRecord(of: data, limit: maximumPointCount) { _ in }
    }

    private struct Record {
        var coordinate: Coordinate
        var elevation: Double
        var seconds: Double
    }

    private static func forEachRecord(
        of data: Data,
        limit: Int,
        _ body: (Record) -> Void
    ) throws(RegionStoreError) {
        guard !data.isEmpty else { return }
        let wrong = try inflated(data, limit).withUnsafeBytes { bytes -> Int? in
            for index in 0..<bytes.count / recordLength {
                func float(_ offset: Int) -> Double {
                    let bits = bytes.loadUnaligned(fromByteOffset: index * recordLength + offset, as: UInt32.self)
                    return Double(Float(bitPattern: UInt32(littleEndian: bits)))
                }
                let bits = bytes.loadUnaligned(fromByteOffset: index * recordLength + 12, as: UInt64.self)
                guard let coordinate = Coordinate(latitude: float(0), longitude: float(4)) else { return index + 1 }
                let seconds = Double(bitPattern: UInt64(littleEndian: bits))
                body(Record(coordinate: coordinate, elevation: float(8), seconds: seconds))
            }
            return nil
        }
        guard let wrong else { return }
        throw RegionStoreError(.invalidFile, "Point \(wrong) of the track is not on Earth.")
    }

    private static func inflated(_ data: Data, _ limit: Int) throws(RegionStoreError) -> [UInt8] {
        let tooMany = RegionStoreError(.invalidFile, "The track has more than \(limit) points.")
        for format in [Deflate.Format.zlib, .raw] where data.withUnsafeBytes({ format.isPossible($0) }) {
            let (outcome, records) = inflated(data, as: format, atMost: limit * recordLength + recordLength - 1)
            switch outcome {
            case .complete: return records
            case .stopped: throw tooMany
            case .broken: continue
            }
        }
        guard data.count % recordLength == 0 else {
            throw RegionStoreError(.invalidFile, "The track cannot be unpacked: it is damaged or truncated.")
        }
        guard data.count / recordLength <= limit else { throw tooMany }
        return Array(data)
    }

    /// Inflates data until they are longer than a limit.
    static func inflated(
        _ data: Data,
        as format: Deflate.Format,
        atMost limit: Int
    ) -> (outcome: Deflate.Outcome, bytes: [UInt8]) {
        var inflated: [UInt8] = []
        let outcome = data.withUnsafeBytes { bytes in
            Deflate.inflate(bytes, as: format) { piece in
                guard inflated.count + piece.count <= limit else { return false }
                inflated.append(contentsOf: piece)
                return true
            }
        }
        return (outcome, inflated)
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// Fills gaps in the values of a track.
private enum TrackGaps {
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
