import Crypto
import FoundationEssentials

/// Ids that are derived from the content of an item: the same content has the same id on every machine.
///
/// The id is a UUID of version 8 with the first bytes of a fingerprint. A counter distinguishes identical items of a file.
struct ContentID {
    private var seen: [SHA256.Digest: UInt64] = [:]

    /// Returns the id of an item; items of different kinds never have the same id.
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
