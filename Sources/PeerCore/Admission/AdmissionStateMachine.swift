/// Decides which connections of a listener stay and which are evicted.
///
/// A pure value. A connection waits until its peer invites, then is an invitation until it is answered, then a
/// transfer. Each stage has its own bound, so a connection that waits never takes the place of a transfer. A connection
/// that carries a link leaves these bounds; how many links there may be is not decided here. In each stage the address
/// that holds the most makes room first: a machine that floods drives out its own connections only.
///
/// A transfer whose receiver has not answered the offer makes room, too. Strangers are unknown peers that no person has
/// let in. They have fewer slots, and one slot is reserved for all others.
struct AdmissionStateMachine: Sendable {
    /// What to do about a connection or an invitation.
    enum OnArrival: Equatable, Sendable {
        /// Let it in.
        case admit
        /// Let it in, and end this connection for it.
        case admitInsteadOf(Int)
        /// There is no room for it.
        case refuse
    }

    /// What a connection was when it ended.
    enum OnEnd: Equatable, Sendable {
        /// It had been accepted.
        case transfer
        /// It had not.
        case visitor
        /// It was evicted for another connection.
        case madeRoom
        /// It was a lane of another transfer.
        case lane
        /// It carried a link.
        case link
    }

    private struct Transfer: Hashable {
        /// Whether the peer is unknown and no person has let it in.
        var isStranger: Bool
        /// Whether the receiver has answered the offer.
        var isAnswered = false
    }

    private enum Stage: Hashable {
        case waiting
        /// An unknown peer asks; a person decides.
        case strangerInvites
        /// A trusted peer, or one with a share link, asks.
        case trustedPeerInvites
        case transferring(Transfer)
        /// A lane of another transfer, which counts instead of it.
        case lane
        /// A link. It does not count here: the session limits the number of links.
        case link
    }

    private struct Entry {
        var stage: Stage
        var address: AddressKey

        var transfer: Transfer? { if case .transferring(let transfer) = stage { transfer } else { nil } }
    }

    private let maximumConnections: Int
    private let maximumConnectionsPerAddress: Int
    private let maximumInvitations: Int
    private let maximumInvitationsPerAddress: Int
    private let maximumTransfers: Int
    private let maximumStrangerTransfers: Int
    private let maximumTransfersPerAddress: Int
    private var entries: [Int: Entry] = [:]
    /// The addresses of evicted connections that are still open.
    private var leaving: [Int: AddressKey] = [:]

    init(_ configuration: ConnectionConfiguration) {
        maximumConnections = configuration.maximumConnections
        maximumConnectionsPerAddress = configuration.maximumConnectionsPerAddress
        maximumInvitations = configuration.maximumInvitations
        maximumInvitationsPerAddress = configuration.maximumInvitationsPerAddress
        maximumTransfers = configuration.maximumTransfers
        // A sender with a single slot keeps it for the first receiver.
        maximumStrangerTransfers = max(1, configuration.maximumTransfers - configuration.reservedTransfers)
        maximumTransfersPerAddress = configuration.maximumTransfersPerAddress
    }

    /// The address of a connection's peer; nil if the connection was evicted or has ended.
    func address(of number: Int) -> AddressKey? { entries[number]?.address }

    /// A peer has connected; its number is higher than that of every earlier connection.
    mutating func connected(_ number: Int, from address: AddressKey) -> OnArrival {
        let count = entries.values.count { $0.stage != .lane && $0.stage != .link }
        let all = count + leaving.count
        // Evicted connections stay open for a moment. Without a bound on all of them, a flood could use up file descriptors.
        if all >= 4 * maximumConnections { return .refuse }
        // Connections that are being closed keep out only the addresses to which they belong.
        if all >= 2 * maximumConnections, leaving.values.contains(address) { return .refuse }
        let own = connections(.waiting, from: address)
        var evicted: Int?
        if own.count >= maximumConnectionsPerAddress {
            // The oldest one has had the most time to invite.
            evicted = own.min()
        } else if count >= maximumConnections {
            evicted = firstToGo(.waiting)
            if evicted == nil { return .refuse }
        }
        if let evicted { makeRoom(evicted) }
        entries[number] = Entry(stage: .waiting, address: address)
        return evicted.map { .admitInsteadOf($0) } ?? .admit
    }

    /// A peer invites and a person is to be asked.
    mutating func invited(_ number: Int, isStranger: Bool) -> OnArrival {
        // No person is asked about a peer for whose transfer there is no slot.
        guard let address = entries[number]?.address, slotForTransfer(address, isStranger: isStranger) != .refuse
        else {
            return .refuse
        }
        guard isStranger else {
            guard connections(.trustedPeerInvites, from: address).count < maximumConnectionsPerAddress else {
                return .refuse
            }
            entries[number]?.stage = .trustedPeerInvites
            return .admit
        }
        guard connections(.strangerInvites, from: address).count < maximumInvitationsPerAddress else { return .refuse }
        var evicted: Int?
        if entries.values.count(where: { $0.stage == .strangerInvites }) >= maximumInvitations {
            evicted = firstToGo(.strangerInvites)
            if let evicted { makeRoom(evicted) }
        }
        entries[number]?.stage = .strangerInvites
        return evicted.map { .admitInsteadOf($0) } ?? .admit
    }

    /// The invitation is accepted; now the receiver decides on the offer.
    mutating func accepted(_ number: Int, byPerson: Bool) -> OnArrival {
        guard let entry = entries[number] else { return .refuse }
        let isStranger = !byPerson && entry.stage != .trustedPeerInvites
        let arrival = slotForTransfer(entry.address, isStranger: isStranger)
        if case .refuse = arrival { return .refuse }
        if case .admitInsteadOf(let other) = arrival { makeRoom(other) }
        entries[number]?.stage = .transferring(Transfer(isStranger: isStranger))
        return arrival
    }

    /// The receiver has answered the offer; false if the connection was evicted before.
    mutating func offerAnswered(_ number: Int) -> Bool {
        guard var transfer = entries[number]?.transfer else { return false }
        transfer.isAnswered = true
        entries[number]?.stage = .transferring(transfer)
        return true
    }

    /// Whether another transfer may begin, and which offer makes room for it.
    private func slotForTransfer(_ address: AddressKey, isStranger: Bool) -> OnArrival {
        let transfers = entries.values.compactMap(\.transfer)
        let strangerCount = transfers.count { $0.isStranger }
        let own = slots(of: address)
        if isStranger, strangers(at: address) >= maximumTransfersPerAddress { return .refuse }
        if transfers.count < maximumTransfers, !isStranger || strangerCount < maximumStrangerTransfers { return .admit }
        // A known peer comes before strangers. Else an address gives up an offer to one that has at least two slots fewer.
        let hasRoomForStranger = !isStranger || strangerCount < maximumStrangerTransfers
        // With a difference of one, the two addresses would only change their parts, and evict each other in turn.
        let offer =
            (isStranger ? nil : unansweredOffer { $0.isStranger })
            ?? unansweredOffer(ofAddressesWith: own + 2) { $0.isStranger || hasRoomForStranger }
        return offer.map { .admitInsteadOf($0) } ?? .refuse
    }

    /// How many transfers an address has.
    private func slots(of address: AddressKey) -> Int {
        entries.values.count { $0.address == address && $0.transfer != nil }
    }

    private func strangers(at address: AddressKey) -> Int {
        entries.values.count { $0.address == address && $0.transfer?.isStranger == true }
    }

    /// The oldest unanswered offer of the address that has the most transfers and an unanswered offer.
    private func unansweredOffer(ofAddressesWith least: Int = 1, where isConsidered: (Transfer) -> Bool) -> Int? {
        let offers = entries.filter { _, entry in
            entry.transfer.map { !$0.isAnswered && isConsidered($0) } ?? false
        }
        let rank = offers.mapValues { slots(of: $0.address) }
        guard let most = rank.values.max(), most >= least else { return nil }
        return rank.filter { $0.value == most }.keys.min()
    }

    /// The connection is a lane of another transfer; false if it was evicted meanwhile.
    mutating func joined(_ number: Int) -> Bool {
        guard entries[number]?.stage == .waiting else { return false }
        entries[number]?.stage = .lane
        return true
    }

    /// The connection carries a link from now on, whether its peer had to invite or not; false if it was evicted meanwhile.
    mutating func linked(_ number: Int) -> Bool {
        switch entries[number]?.stage {
        case .waiting, .strangerInvites, .trustedPeerInvites: break
        case .transferring, .lane, .link, nil: return false
        }
        entries[number]?.stage = .link
        return true
    }

    /// The connection has ended.
    @discardableResult
    mutating func ended(_ number: Int) -> OnEnd {
        leaving[number] = nil
        guard let entry = entries.removeValue(forKey: number) else { return .madeRoom }
        switch entry.stage {
        case .transferring: return .transfer
        case .lane: return .lane
        case .link: return .link
        case .waiting, .strangerInvites, .trustedPeerInvites: return .visitor
        }
    }

    private mutating func makeRoom(_ number: Int) {
        leaving[number] = entries.removeValue(forKey: number)?.address
    }

    private func connections(_ stage: Stage, from address: AddressKey) -> [Int] {
        entries.filter { $0.value.stage == stage && $0.value.address == address }.map(\.key)
    }

    /// The oldest connection of the address that has the most; of several such addresses, the one with the oldest.
    private func firstToGo(_ stage: Stage) -> Int? {
        let byAddress = Dictionary(grouping: entries.filter { $0.value.stage == stage }, by: \.value.address)
            .mapValues { $0.map(\.key) }
        let most = byAddress.values.map(\.count).max()
        return byAddress.values.filter { $0.count == most }.compactMap { $0.min() }.min()
    }
}
