public import PeerCore
public import RegionStore

/// A search for a sender.
public struct SenderSearch: Hashable, Sendable {
    /// What selects the sender: a name, the start of an id, or a region; nil for any sender.
    public var query: String?
    /// Who was chosen before and refuses connections.
    public var refusing: DiscoveredPeer?
    /// The trusted machines, whose names here count.
    public var trustedPeers: [TrustedPeer]
    /// The time limit; nil for none.
    public var timeout: Duration?

    /// Creates a search.
    package init(
        query: String? = nil,
        after refusing: DiscoveredPeer? = nil,
        trustedPeers: [TrustedPeer] = [],
        timeout: Duration? = nil
    ) {
        (self.query, self.refusing, self.trustedPeers, self.timeout) = (query, refusing, trustedPeers, timeout)
    }
}

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

/// From whom to receive.
public struct SenderQuestion: Question {
    /// The senders.
    public let list: SenderList
    /// What takes the place of the list while the person thinks.
    public let later: AsyncStream<SenderList>

    /// None.
    public var defaultAnswer: SenderAnswer { .declined }
}

/// The sender that a person picks.
public enum SenderAnswer: Hashable, Sendable {
    /// The sender with a number or a name, or whose region has the name; a yes, or nothing, if there is only one.
    case words(String)
    /// The sender of a share link.
    case link(ShareLink)
    /// None.
    case declined

    /// Reads a line that is no share link; nil is the end of the input.
    public init(_ line: String?) {
        let word = line?.filter { !$0.isWhitespace }.lowercased()
        guard let line, let word, !["n", "no", "q"].contains(word) else {
            self = .declined
            return
        }
        self = .words(line)
    }
}
