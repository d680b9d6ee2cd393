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
        var secret: LaneSecret
        /// The id that the session's certificate proves; nil in plain text.
        var peer: PeerID?
        var room: Int
    }

    private var entries: [Int: Entry] = [:]

    /// A session asks its peer for more lanes.
    mutating func expect(_ count: Int, for session: Int, secret: LaneSecret, peer: PeerID?) {
        let room = entries[session]?.room ?? 0
        entries[session] = Entry(secret: secret, peer: peer, room: room + count)
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
        let matching = entries.filter { $0.value.secret == secret }
        guard let (session, entry) = matching.first, entry.peer == peer else { return .stranger }
        guard entry.room > 0 else { return .late }
        entries[session]?.room -= 1
        return .lane(of: session)
    }
}
