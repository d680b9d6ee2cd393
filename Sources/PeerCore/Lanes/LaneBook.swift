/// Which sessions of a sender expect lanes, and from which peers.
///
/// A pure value. A lane is admitted only with the secret of a session, from the peer of that session, and only if that session
/// has asked for it.
struct LaneBook: Sendable {
    /// What a connection is that presents a secret.
    enum OnJoin: Equatable, Sendable {
        /// A lane of this session.
        case lane(of: Int)
        /// A lane of a session that does not need it any more.
        case late
        /// It belongs to no session.
        case stranger
    }

    private struct Entry {
        /// The secret of the request at hand.
        var secret: LaneSecret
        /// The secrets of requests that have been answered.
        var earlier: [LaneSecret]
        /// The id that the session's certificate proves; nil in plain text.
        var peer: PeerID?
        var room: Int
    }

    private var entries: [Int: Entry] = [:]

    /// A session asks its peer for more lanes.
    ///
    /// With another secret than before, they are the lanes of the next request; earlier ones come too late from now on.
    mutating func expect(_ count: Int, for session: Int, secret: LaneSecret, peer: PeerID?) {
        var entry = entries[session] ?? Entry(secret: secret, earlier: [], peer: peer, room: 0)
        if entry.secret != secret {
            entry.earlier.append(entry.secret)
            entry.secret = secret
            entry.room = 0
        }
        entry.room += count
        entries[session] = entry
    }

    /// A session wants no more lanes for now.
    mutating func close(_ session: Int) {
        entries[session]?.room = 0
    }

    /// A session has ended.
    mutating func forget(_ session: Int) {
        entries[session] = nil
    }

    /// A connection says that it belongs to a session.
    ///
    /// - Parameters:
    ///   - secret: The secret that it presents.
    ///   - peer: The id that its certificate proves; nil in plain text.
    /// - Returns: The session, if there is one.
    mutating func join(_ secret: LaneSecret, by peer: PeerID?) -> OnJoin {
        // Every secret is compared, so that the duration reveals nothing about them.
        let late = entries.filter { $0.value.peer == peer && $0.value.earlier.filter { $0 == secret }.count > 0 }
        let matching = entries.filter { $0.value.secret == secret }
        guard let (session, entry) = matching.first, entry.peer == peer else { return late.isEmpty ? .stranger : .late }
        guard entry.room > 0 else { return .late }
        entries[session]?.room -= 1
        return .lane(of: session)
    }
}
