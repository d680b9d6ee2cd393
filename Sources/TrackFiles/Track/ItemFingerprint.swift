package import Crypto
package import FoundationEssentials
import PeerStorage
package import RegionModel

/// The fingerprint of an item's name, positions and times, as a GPX file can have them.
///
/// Two items with the same fingerprint are the same place, route or hike, also if another program wrote the file.
enum ItemFingerprint {
    /// The kind of an item.
    enum Kind: String {
        case waypoint = "wpt"
        case plannedRoute = "rte"
        case hike = "trk"
    }

    /// Returns a fingerprint.
    ///
    /// Positions count to a ten-millionth of a degree, and times to a millisecond. The meridian of 180 degrees is the same one
    /// in the east and in the west.
    static func digest(kind: Kind, name: String, points: some Sequence<TrackPoint>) -> SHA256.Digest {
        var hasher = SHA256()
        var bytes: [UInt8] = []
        func append(_ value: Int64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        for text in ["hikeshare.gpx.2", kind.rawValue, name] {
            append(Int64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
        for point in points {
            append(TrackColumns.degrees(point.coordinate.latitude) ?? 0)
            let longitude = TrackColumns.degrees(point.coordinate.longitude) ?? 0
            append(longitude == 1_800_000_000 ? -longitude : longitude)
            append(point.time.flatMap(Timestamp.milliseconds) ?? .min)
            if bytes.count > 16_384 {
                hasher.update(data: bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        hasher.update(data: bytes)
        return hasher.finalize()
    }
}

extension Waypoint {
    /// The fingerprint.
    package var fingerprint: SHA256.Digest? {
        ItemFingerprint.digest(
            kind: .waypoint,
            name: label,
            points: CollectionOfOne(TrackPoint(coordinate: coordinate, time: fileTime))
        )
    }

    /// The time in a GPX file; nil if the waypoint comes from a file without one.
    package var fileTime: Date? {
        guard let text = supplement.words?.time else { return time }
        return Timestamp.date(parsing: text.utf8)
    }
}

extension PlannedRoute {
    /// The fingerprint.
    package var fingerprint: SHA256.Digest? {
        let points = track?.points ?? coordinates.map { TrackPoint(coordinate: $0) }
        return ItemFingerprint.digest(kind: .plannedRoute, name: name, points: points)
    }
}

extension SavedRoute {
    /// The fingerprint; nil if the track cannot be read.
    package var fingerprint: SHA256.Digest? {
        (try? track()).map { ItemFingerprint.digest(kind: .hike, name: name, points: $0.points) }
    }
}
