package import PeerCore
import RegionStore

/// What an announcement says of the map that is sent, so that receivers find another sender of it: the start of its digest.
package enum MapMark {
    private static let key = "map"
    private static let length = 16
    /// Together they are shorter than the 255 bytes of a text record.
    private static let maximumCount = 12

    /// Returns what is announced of offers: the maps of the first of them.
    package static func custom(of manifests: [Manifest]) -> [String: String] {
        let marks = manifests.compactMap { $0.mapEntry.map { mark(of: $0.digest) } }
        return marks.isEmpty ? [:] : [key: marks.prefix(maximumCount).joined(separator: ",")]
    }

    /// Returns whether an announcement is of a sender of a map.
    package static func matches(_ map: ContentDigest, _ info: DiscoveryInfo) -> Bool {
        info.custom[key]?.split(separator: ",").contains(mark(of: map)[...]) == true
    }

    private static func mark(of map: ContentDigest) -> String { String(map.hex.prefix(length)) }
}
