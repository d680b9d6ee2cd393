import FoundationEssentials
import RegionModel

/// The records of a track while they come out of the inflater: checked, not yet points.
struct TrackRecords {
    private enum Fault {
        case notOnEarth(Int)
        case tooMany
    }

    private let limit: Int
    private let keepsPoints: Bool
    private var pending: [UInt8] = []
    /// How many records came, those included that are no points.
    private var count = 0
    private var coordinates: [Coordinate] = []
    private var elevations: [Float] = []
    private var times: [Double] = []
    private var fault: Fault?

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - limit: The most records.
    ///   - keepsPoints: Whether the points are wanted, and not only whether they are some.
    init(limit: Int, keepsPoints: Bool = true) {
        self.limit = limit
        self.keepsPoints = keepsPoints
        pending.reserveCapacity(TrackCodec.recordLength)
    }

    /// Takes bytes; false when no more are wanted.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if pending.isEmpty, bytes.count - index >= TrackCodec.recordLength {
                appendRecord(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[index...]))
                index += TrackCodec.recordLength
            } else {
                pending.append(bytes[index])
                index += 1
                if pending.count == TrackCodec.recordLength {
                    let record = pending
                    pending.removeAll(keepingCapacity: true)
                    record.withUnsafeBytes { appendRecord($0) }
                }
            }
            // A place that is not on Earth stops nothing: what is no track at all may look like one for a while.
            if case .tooMany? = fault { return false }
        }
        return true
    }

    private mutating func appendRecord(_ bytes: UnsafeRawBufferPointer) {
        guard count < limit else {
            fault = .tooMany
            return
        }
        count += 1
        func float(_ offset: Int) -> Float {
            Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        let seconds = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
        guard let coordinate = Coordinate(latitude: Double(float(0)), longitude: Double(float(4))) else {
            if fault == nil { fault = .notOnEarth(count) }
            return
        }
        guard keepsPoints else { return }
        coordinates.append(coordinate)
        elevations.append(float(8))
        times.append(Double(bitPattern: seconds))
    }

    /// Throws if something was wrong with what came.
    func check() throws(RegionStoreError) {
        switch fault {
        case nil: return
        case .tooMany:
            throw RegionStoreError(.invalidFile, "The track has more than \(limit) points.")
        case .notOnEarth(let number):
            throw RegionStoreError(.invalidFile, "Point \(number) of the track is not on Earth.")
        }
    }

    /// Tells whether the times fit the hike's start better if they count from 1970.
    func countsFrom1970(startTime: Date) -> Bool {
        guard let first = times.first(where: \.isFinite) else { return false }
        return abs(Date(timeIntervalSince1970: first).timeIntervalSince(startTime))
            < abs(Date(timeIntervalSinceReferenceDate: first).timeIntervalSince(startTime))
    }

    /// Turns times since 1970 into times since 2001.
    mutating func shiftTimes() {
        for index in times.indices { times[index] -= Date.timeIntervalBetween1970AndReferenceDate }
    }

    func points() -> [TrackPoint] {
        let hasElevations = elevations.contains { $0 != 0 }
        let hasTimes = times.count == 1 || times.contains { $0 != times[0] }
        return coordinates.indices.map { index in
            let elevation = Double(elevations[index])
            let time = Date(timeIntervalSinceReferenceDate: times[index])
            return TrackPoint(
                coordinate: coordinates[index],
                elevation: hasElevations && TrackLimits.elevations.contains(elevation) ? elevation : nil,
                time: hasTimes && Timestamp.isPlausible(time) ? time : nil
            )
        }
    }
}

/// What a point of a track may say without being doubted.
enum TrackLimits {
    /// Metres above sea level, from below the deepest trench to space.
    static let elevations = -12_000.0...100_000.0
}
