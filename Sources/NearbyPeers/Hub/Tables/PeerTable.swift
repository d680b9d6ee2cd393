import PeerCore
import PeerProtocol

/// The peers of a session.
struct PeerTable {
    /// The maximum number of peers that a session remembers.
    static let maximumCount = 256

    private let localID: PeerID
    private let maximumLinkCount: Int
    private let memory: Duration
    private(set) var entries: [PeerID: PeerEntry] = [:]
    /// What the machines of peers have decided and is not performed yet, in order.
    var waitingActions: [(id: PeerID, action: PeerAction)] = []

    init(_ configuration: PeerSession.Configuration) {
        localID = configuration.local.id
        maximumLinkCount = configuration.maximumPeers
        memory = configuration.reconnection.memory
    }

    /// The entry of a peer; nil if there is none.
    subscript(id: PeerID) -> PeerEntry? {
        get { entries[id] }
        _modify { yield &entries[id] }
    }

    /// The entry of a peer, or a new one if there is none.
    subscript(making id: PeerID) -> PeerEntry {
        get { entries[id] ?? PeerEntry(machine: PeerStateMachine(id: id, decides: localID.hex < id.hex)) }
        set { entries[id] = newValue }
    }

    var ids: [PeerID] { Array(entries.keys) }

    /// Whether this machine has links with the maximum number of peers.
    ///
    /// A peer that is only named by others, or whose link has ended, holds no slot.
    func isFull(besides id: PeerID?) -> Bool {
        entries.values.lazy.filter { $0.link != nil && $0.machine.id != id }.count >= maximumLinkCount
    }

    /// Whether a peer is in the group or was linked recently, so that it is accepted without a question.
    func isMember(_ id: PeerID, of roster: RosterStateMachine, at now: ContinuousClock.Instant) -> Bool {
        self[making: id].machine.isMember(isInRoster: roster.members[id] != nil, memory: memory, at: now)
    }

    /// Whether a peer, which discovery sees, may be invited automatically.
    func mayBeInvited(_ id: PeerID, isNew: Bool) -> Bool {
        id != localID && self[making: id].machine.mayBeInvited(isNew: isNew) && !isFull(besides: id)
    }

    /// The peer to forget when one has become idle: itself if it never had a link, or the one whose link ended first of too many.
    func surplus(after id: PeerID, isKept: (PeerID) -> Bool, at now: ContinuousClock.Instant) -> PeerID? {
        guard let entry = entries[id], entry.isIdle, !isKept(id) else { return nil }
        if !entry.machine.isRemembered { return id }
        guard entries.count > Self.maximumCount else { return nil }
        let idle = entries.values.filter { $0.isIdle && !$0.machine.isBlocked && !isKept($0.machine.id) }
        return idle.min { ($0.machine.lostSince ?? now) < ($1.machine.lostSince ?? now) }?.machine.id
    }
}
