package import Crypto
package import FoundationEssentials
import PeerStorage
package import RegionModel

/// What our own extension element says of an item in a GPX file: its id, and values that GPX has no place for.
///
/// An item that is exported and imported again is recognised by its id.
struct GPXIdentity: Hashable {
    /// The kind of an item.
    enum Kind: String {
        case waypoint
        case route
        case hike
    }

    /// The namespace of the element.
    static let namespace = "urn:hikeshare:gpx:1"

    /// The prefix that ``GPXWriter`` gives the namespace.
    static let prefix = "hikeshare"

    // What a file may say beside the id. All else is not kept.
    private static let keys: Set<String> = [
        "category", "created", "modified", "mode", "start", "end", "walking", "resting", "averageHeartRate",
        "maximumHeartRate", "calories",
    ]
    private static let maximumLength = 100

    var kind: Kind
    var id: UUID
    private var attributes: [String: String]

    /// Creates the identity of an item.
    init(_ kind: Kind, _ id: UUID) {
        self.kind = kind
        self.id = id
        attributes = [:]
    }

    /// Reads an element; nil if it is none of ours.
    ///
    /// - Parameters:
    ///   - name: The name of the element, with its prefix.
    ///   - attributes: Its attributes.
    ///   - prefixes: The prefixes that the root of the file gives the namespace, each with its colon.
    init?(_ name: String, _ attributes: [String: String], prefixes: Set<String>) {
        let prefix = GPXNamespaces.prefix(name)
        guard prefixes.contains(prefix) || attributes[GPXNamespaces.declaration(prefix)] == Self.namespace,
            let kind = Kind(rawValue: String(name.dropFirst(prefix.count))),
            let id = attributes["id"].flatMap({ UUID(uuidString: $0) })
        else { return nil }
        self.kind = kind
        self.id = id
        self.attributes = attributes.filter { Self.keys.contains($0.key) && $0.value.utf8.count <= Self.maximumLength }
    }

    /// Returns the prefixes that the attributes of an element give the namespace, each with its colon.
    static func prefixes(in attributes: [String: String]) -> Set<String> {
        let keys = attributes.filter { $0.value == namespace && $0.key.hasPrefix("xmlns:") }.keys
        return Set(keys.map { String($0.dropFirst(6)) + ":" })
    }

    // MARK: Values

    func text(_ key: String) -> String? { attributes[key] }

    func number(_ key: String) -> Double? { attributes[key].flatMap(GPXNumber.value) }

    func time(_ key: String) -> Date? { attributes[key].flatMap { Timestamp.date(parsing: $0.utf8) } }

    mutating func set(_ key: String, _ text: String?) { attributes[key] = text }

    mutating func set(_ key: String, _ number: Double?) {
        attributes[key] = number.flatMap { GPXNumber.text($0, decimals: 3) }
    }

    mutating func set(_ key: String, _ time: Date?) {
        attributes[key] = time.flatMap { Timestamp.text($0, milliseconds: true) }
    }

    /// The element as markup.
    var markup: String {
        var text = "<\(Self.prefix):\(kind.rawValue) id=\"\(id.uuidString)\""
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
            text += " \(key)=\"\(XMLText.escaped(value))\""
        }
        return text + "/>"
    }
}

/// Ids that are derived from the content of an item: the same content has the same id on every machine.
///
/// The id is a UUID of version 8 with the first bytes of a fingerprint. A counter distinguishes identical items of a file.
struct ContentID {
    private var seen: [SHA256.Digest: UInt64] = [:]

    /// Returns the id of an item.
    ///
    /// - Parameters:
    ///   - kind: The kind of the item; items of different kinds never have the same id.
    ///   - name: The name in the file.
    ///   - points: The points in the file.
    /// - Returns: The id.
    mutating func id(kind: ItemFingerprint.Kind, name: String, points: [TrackPoint]) -> UUID {
        var digest = ItemFingerprint.digest(kind: kind, name: name, points: points)
        let count = seen[digest, default: 0]
        seen[digest] = count + 1
        if count > 0 { digest = SHA256.hash(data: Array(digest) + withUnsafeBytes(of: count.littleEndian, Array.init)) }
        return Self.uuid(digest)
    }

    private static func uuid(_ digest: SHA256.Digest) -> UUID {
        var bytes = Array(digest)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        )
    }
}

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
