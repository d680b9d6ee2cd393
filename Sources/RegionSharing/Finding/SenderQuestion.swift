package import PeerCore
package import RegionStore

/// A search for a sender.
package struct SenderSearch: Hashable, Sendable {
    /// What selects the sender: a name, the start of an id, or a region; nil for any sender.
    package var query: String?
    /// Who was chosen before and refuses connections.
    package var refusing: DiscoveredPeer?
    /// The trusted machines, whose names here count.
    package var trustedPeers: [TrustedPeer]
    /// The time limit; nil for none.
    package var timeout: Duration?

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
package struct SenderList: Equatable, Sendable {
    /// A sender with the number that it keeps while the search lasts.
    package struct Sender: Sendable {
        /// The number, from 1.
        package var number: Int
        /// The sender.
        package var peer: DiscoveredPeer
    }

    /// Why an answer was not taken.
    package enum Objection: Hashable, Sendable {
        /// No sender has the number.
        case noNumber(String)
        /// No sender has the name.
        case noSender(String)
        /// Several senders match the name.
        case severalSenders(String)
    }

    /// The senders that are shown; none if all have gone.
    package var senders: [Sender]
    /// How many more there are, which can be named.
    package var moreCount: Int
    /// The trusted machines.
    package var trustedPeers: [TrustedPeer]
    /// Why the last answer was not taken; nil if there was none.
    package var objection: Objection?
}

extension SenderList.Sender: Equatable {
    /// Whether a person sees no difference: an announcement also has addresses, and more.
    package static func == (one: Self, other: Self) -> Bool {
        one.number == other.number && one.peer.peerID == other.peer.peerID
            && one.peer.displayName == other.peer.displayName && one.peer.info.regionName == other.peer.info.regionName
            && one.peer.info.offerCount == other.peer.info.offerCount && one.peer.info.size == other.peer.info.size
    }
}

/// From whom to receive.
package struct SenderQuestion: Question {
    /// The senders.
    package let list: SenderList
    /// What takes the place of the list while the person thinks.
    package let later: AsyncStream<SenderList>

    /// None.
    package var defaultAnswer: SenderAnswer { .declined }
}

/// The sender that a person picks.
package enum SenderAnswer: Hashable, Sendable {
    /// The sender with a number or a name, or whose region has the name; a yes, or nothing, if there is only one.
    case words(String)
    /// The sender of a share link.
    case link(ShareLink)
    /// None.
    case declined

    /// Reads a line that is no share link; nil is the end of the input.
    package init(_ line: String?) {
        let word = line?.filter { !$0.isWhitespace }.lowercased()
        guard let line, let word, !["n", "no", "q"].contains(word) else {
            self = .declined
            return
        }
        self = .words(line)
    }
}
