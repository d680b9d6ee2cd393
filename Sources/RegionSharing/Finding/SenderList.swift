public import PeerCore
public import RegionStore

/// The senders among which a person picks.
public struct SenderList: Equatable, Sendable {
    /// A sender with the number that it keeps while the search lasts.
    public struct Sender: Sendable {
        /// The number, from 1.
        public var number: Int
        /// The sender.
        public var peer: DiscoveredPeer
    }

    /// Why an answer was not taken.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Objection: Hashable, Sendable {
        /// No sender has the number.
        case noNumber(String)
        /// No sender has the name.
        case noSender(String)
        /// Several senders match the name.
        case severalSenders(String)
    }

    /// The senders that are shown; none if all have gone.
    public var senders: [Sender]
    /// How many more there are, which can be named.
    public var moreCount: Int
    /// The trusted machines.
    public var trustedPeers: [TrustedPeer]
    /// Why the last answer was not taken; nil if there was none.
    public var objection: Objection?
}

extension SenderList.Sender: Equatable {
    /// Whether a person sees no difference: an announcement also has addresses, and more.
    public static func == (one: Self, other: Self) -> Bool {
        one.number == other.number && one.peer.peerID == other.peer.peerID
            && one.peer.displayName == other.peer.displayName && one.peer.info.regionName == other.peer.info.regionName
            && one.peer.info.offerCount == other.peer.info.offerCount && one.peer.info.size == other.peer.info.size
    }
}
