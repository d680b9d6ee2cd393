import Crypto
import FoundationEssentials

/// Ids that are derived from the content of an item: the same content has the same id on every machine.
///
/// The id is a UUID of version 8 with the first bytes of a SHA-256 digest. A counter distinguishes identical items.
struct ContentID {
    private var seen: [SHA256.Digest: UInt64] = [:]

    /// Returns the id of an item.
    ///
    /// - Parameters:
    ///   - kind: The kind of the item; items of different kinds never have the same id.
    ///   - words: The texts in the file.
    ///   - points: The points in the file.
    /// - Returns: The id.
    mutating func id(kind: String, words: GPXContent.Words, points: [TrackPoint]) -> UUID {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(points.count * 32 + 256)
        for text in ["hikeshare.gpx.1", kind, words.name, words.comment, words.description, words.symbol, words.type] {
            Self.append(UInt64(text.utf8.count), to: &bytes)
            bytes.append(contentsOf: text.utf8)
        }
        // No value that is read has the bits of a NaN, which stands for "missing".
        let missing = Double.nan.bitPattern
        for point in points {
            Self.append(point.coordinate.latitude.bitPattern, to: &bytes)
            Self.append(point.coordinate.longitude.bitPattern, to: &bytes)
            Self.append(point.elevation?.bitPattern ?? missing, to: &bytes)
            Self.append(point.time?.timeIntervalSince1970.bitPattern ?? missing, to: &bytes)
        }
        var digest = SHA256.hash(data: bytes)
        let count = seen[digest, default: 0]
        seen[digest] = count + 1
        if count > 0 {
            Self.append(count, to: &bytes)
            digest = SHA256.hash(data: bytes)
        }
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

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
