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

    package init(first: SenderLocation) { self.first = first }

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
    package var peerID: PeerID? { if case .peer(let peer) = self { peer.peerID } else { nil } }
}
