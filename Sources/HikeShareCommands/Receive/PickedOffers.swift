import FoundationEssentials
import PeerCore
import Synchronization

/// What was picked from a catalogue, so that nobody is asked again after a broken connection.
final class PickedOffers: Sendable {
    private struct State {
        /// What is neither received nor declined.
        var left: [UUID] = []
        var all: Set<UUID> = []
        /// The authenticated sender; nil in plain text.
        var peer: PeerID?
        var isByPerson = false
        var isCompared = false
        var receivedCount = 0
    }

    private let state = Mutex(State())

    /// How many regions were received.
    var receivedCount: Int { state.withLock { $0.receivedCount } }

    /// Whether a person has compared digits when picking.
    var isCompared: Bool { state.withLock { $0.isCompared } }

    /// Whether an offer is one of several that were picked.
    func contains(_ id: UUID) -> Bool { state.withLock { $0.all.contains(id) } }

    /// Whether a person has picked an offer from the list.
    func isByPerson(_ id: UUID) -> Bool { state.withLock { $0.isByPerson && $0.all.contains(id) } }

    /// Notes what was picked.
    func pick(_ ids: [UUID], from peer: PeerID?, isCompared: Bool, isByPerson: Bool) {
        state.withLock { state in
            state.left = ids
            state.all = Set(ids)
            state.peer = peer
            state.isByPerson = isByPerson
            state.isCompared = state.isCompared || isCompared
        }
    }

    /// What is left of what was picked from an authenticated sender; empty if nothing was picked, or from another one.
    func left(of peer: PeerID?) -> [UUID] {
        state.withLock { $0.peer == peer && peer != nil ? $0.left : [] }
    }

    /// An offer was received; nil stands for the only one.
    func received(_ id: UUID?) {
        state.withLock { state in
            state.receivedCount += 1
            state.left.removeAll { $0 == id }
        }
    }

    /// An offer is not taken.
    func declined(_ id: UUID) {
        state.withLock { $0.left.removeAll { $0 == id } }
    }
}
