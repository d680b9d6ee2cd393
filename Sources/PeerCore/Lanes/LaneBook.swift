/// Which sessions of a sender expect lanes, and whose.
///
/// A pure value. A lane is let in only with the secret of a session, by the peer of that session, and only as often as
/// that session has asked for one.
struct LaneBook: Sendable {
    /// What a connection is that says a secret.
    enum OnJoin: Equatable, Sendable {
        /// A lane of this session.
        case lane(of: Int)
        /// A lane of a session that has no use for it any more.
        case late
        /// Nobody's.
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
    ///   - secret: What it says.
    ///   - peer: The id that its certificate proves; nil in plain text.
    /// - Returns: Whether it does.
    mutating func join(_ secret: LaneSecret, by peer: PeerID?) -> OnJoin {
        // Every secret is compared, so that the time tells nothing of which there are.
        let matching = entries.filter { $0.value.secret == secret }
        guard let (session, entry) = matching.first, entry.peer == peer else { return .stranger }
        guard entry.room > 0 else { return .late }
        entries[session]?.room -= 1
        return .lane(of: session)
    }
}
