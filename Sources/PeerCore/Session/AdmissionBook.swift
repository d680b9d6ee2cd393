/// Which sessions of a sender may stay, and which must make room.
///
/// A pure value. A session waits until its peer invites, then is an invitation until a person has answered, then a
/// transfer. Each has its own bound, so that those who only wait never take a transfer's place, and in each, whoever holds
/// the most makes room first: one machine that floods drives out its own connections and nobody else's.
struct AdmissionBook: Sendable {
    /// What to do about a connection or an invitation.
    enum OnArrival: Equatable, Sendable {
        /// Let it in.
        case admit
        /// Let it in, and end this session for it.
        case admitInsteadOf(Int)
        /// There is no room for it.
        case refuse
    }

    /// What a session was when it ended.
    enum OnEnd: Equatable, Sendable {
        /// It had been accepted.
        case transfer
        /// It had not.
        case visitor
        /// It had to make room for another one before.
        case madeRoom
        /// It was a lane of another one.
        case lane
    }

    private enum Stage {
        case waiting
        /// Somebody unknown asks; a person is being asked.
        case strangerInvites
        /// Somebody who is known, or has a link, asks.
        case friendInvites
        case transferring
        /// Belongs to another session, which answers for it.
        case lane
    }

    private struct Entry {
        var stage: Stage
        var address: AddressKey
    }

    private let maximumConnections: Int
    private let maximumConnectionsPerAddress: Int
    private let maximumInvitations: Int
    private let maximumInvitationsPerAddress: Int
    private let maximumTransfers: Int
    private var entries: [Int: Entry] = [:]
    /// Sessions that had to make room, and whose connections are not closed yet, with their addresses.
    private var leaving: [Int: AddressKey] = [:]

    init(_ configuration: SessionConfiguration) {
        maximumConnections = configuration.maximumConnections
        maximumConnectionsPerAddress = configuration.maximumConnectionsPerAddress
        maximumInvitations = configuration.maximumInvitations
        maximumInvitationsPerAddress = configuration.maximumInvitationsPerAddress
        maximumTransfers = configuration.maximumTransfers
    }

    /// Whether another transfer could begin.
    var hasRoomForTransfer: Bool {
        entries.values.count { $0.stage == .transferring } < maximumTransfers
    }

    /// Where the peer of a session is; nil if it had to make room, or has ended.
    func address(of session: Int) -> AddressKey? { entries[session]?.address }

    /// A peer has connected.
    ///
    /// - Parameters:
    ///   - session: A number that grows with every session.
    ///   - address: Where the peer is.
    /// - Returns: What to do.
    mutating func connected(_ session: Int, from address: AddressKey) -> OnArrival {
        let count = entries.values.count { $0.stage != .lane }
        let all = count + leaving.count
        if all >= 4 * maximumConnections { return .refuse }
        if all >= 2 * maximumConnections, leaving.values.contains(address) { return .refuse }
        let own = sessions(.waiting, from: address)
        var evicted: Int?
        if own.count >= maximumConnectionsPerAddress {
            evicted = own.min()
        } else if count >= maximumConnections {
            evicted = firstToGo(.waiting)
            if evicted == nil { return .refuse }
        }
        if let evicted { makeRoom(evicted) }
        entries[session] = Entry(stage: .waiting, address: address)
        return evicted.map { .admitInsteadOf($0) } ?? .admit
    }

    /// A peer invites and a person is to be asked.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - isStranger: Whether the peer is neither pinned nor admitted by a link.
    /// - Returns: What to do.
    mutating func invited(_ session: Int, isStranger: Bool) -> OnArrival {
        guard let address = entries[session]?.address, hasRoomForTransfer else { return .refuse }
        guard isStranger else {
            guard sessions(.friendInvites, from: address).count < maximumConnectionsPerAddress else { return .refuse }
            entries[session]?.stage = .friendInvites
            return .admit
        }
        guard sessions(.strangerInvites, from: address).count < maximumInvitationsPerAddress else { return .refuse }
        var evicted: Int?
        if entries.values.count(where: { $0.stage == .strangerInvites }) >= maximumInvitations {
            evicted = firstToGo(.strangerInvites)
            if let evicted { makeRoom(evicted) }
        }
        entries[session]?.stage = .strangerInvites
        return evicted.map { .admitInsteadOf($0) } ?? .admit
    }

    /// The invitation is accepted; false if there is no place.
    mutating func accepted(_ session: Int) -> Bool {
        guard entries[session] != nil, hasRoomForTransfer else { return false }
        entries[session]?.stage = .transferring
        return true
    }

    /// The connection belongs to another session; false if it had to make room meanwhile.
    mutating func joined(_ session: Int) -> Bool {
        guard entries[session]?.stage == .waiting else { return false }
        entries[session]?.stage = .lane
        return true
    }

    /// The session has ended.
    @discardableResult
    mutating func ended(_ session: Int) -> OnEnd {
        leaving[session] = nil
        guard let entry = entries.removeValue(forKey: session) else { return .madeRoom }
        switch entry.stage {
        case .transferring: return .transfer
        case .lane: return .lane
        case .waiting, .strangerInvites, .friendInvites: return .visitor
        }
    }

    private mutating func makeRoom(_ session: Int) {
        leaving[session] = entries.removeValue(forKey: session)?.address
    }

    private func sessions(_ stage: Stage, from address: AddressKey) -> [Int] {
        entries.filter { $0.value.stage == stage && $0.value.address == address }.map(\.key)
    }

    /// The oldest session of the address that has the most; of several such addresses, the one with the oldest.
    private func firstToGo(_ stage: Stage) -> Int? {
        let byAddress = Dictionary(grouping: entries.filter { $0.value.stage == stage }, by: \.value.address)
            .mapValues { $0.map(\.key) }
        let most = byAddress.values.map(\.count).max()
        return byAddress.values.filter { $0.count == most }.compactMap { $0.min() }.min()
    }
}
