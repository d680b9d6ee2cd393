package import PeerCore
import RegionStore

/// The other senders of a map that was accepted, for when the first one leaves.
///
/// An announcement says which map is sent (``MapMark``), and proves nothing. What the other sender offers is compared with what was
/// accepted (``OfferDecider``), and every chunk with its digest.
package struct OtherSenders {
    /// Where the sender is whose offer was accepted.
    private var first: SenderLocation
    /// The last error of that sender.
    private var lost: (any Error)?
    /// How many attempts with that sender have failed since the last data.
    private var failures = 0
    /// Those that were tried in vain.
    private var tried: Set<PeerID> = []

    package init(first: SenderLocation) {
        self.first = first
    }

    /// Notes that an attempt has failed, and returns the location and the error that count.
    ///
    /// What goes wrong with another sender is no reason to give up: it may not be what it says.
    package mutating func failed(
        _ error: any Error,
        at location: SenderLocation,
        agreed: PeerID?,
        broughtData: Bool
    ) -> (location: SenderLocation, error: any Error) {
        if broughtData { failures = 0 }
        guard Self.isOther(location, agreed: agreed), let id = location.peerID else {
            first = location
            (lost, failures) = (error, failures + 1)
            return (location, error)
        }
        if !broughtData { tried.insert(id) }
        return (first, lost ?? error)
    }

    /// Which senders may take the place of the first one.
    ///
    /// - Parameters:
    ///   - map: The accepted map.
    ///   - trusted: The trusted machines, which come first.
    ///   - takesAny: Whether offers of other machines can be accepted, too.
    /// - Returns: Which senders they are.
    package func substitutes(of map: ContentDigest, trusted: Set<PeerID>, takesAny: Bool) -> SenderTracker.Substitutes {
        let tried = tried
        // One attempt may fail by chance. After two, the sender that is still announced is taken for gone, every other time.
        let isPreferred = failures > 1 && failures.isMultiple(of: 2)
        return SenderTracker.Substitutes(isPreferred: isPreferred, trusted: trusted) { peer in
            guard let id = peer.peerID, !tried.contains(id) else { return false }
            return MapMark.matches(map, peer.info) && (takesAny || trusted.contains(id))
        }
    }

    /// Whether a location is that of another machine than the one whose offer was accepted.
    package static func isOther(_ location: SenderLocation, agreed: PeerID?) -> Bool {
        guard let agreed, let id = location.peerID else { return false }
        return id != agreed
    }
}

extension SenderLocation {
    /// The id that the announcement of the sender claims; nil without an announcement.
    package var peerID: PeerID? {
        if case .peer(let peer) = self { peer.peerID } else { nil }
    }
}

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
