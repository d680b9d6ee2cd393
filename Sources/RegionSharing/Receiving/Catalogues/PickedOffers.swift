package import FoundationEssentials
package import PeerCore
package import RegionStore
import Synchronization

/// What was picked from a catalogue, so that the question is not repeated after a broken connection.
package final class PickedOffers: Sendable {
    private struct State {
        /// What is neither received nor declined.
        var left: [UUID] = []
        /// What the list said of each, by the ids.
        var all: [UUID: OfferedRegion] = [:]
        /// The authenticated sender; nil in plain text.
        var peer: PeerID?
        var isByPerson = false
        /// Whose digits a person has compared.
        var compared: PeerID?
        var receivedCount = 0
    }

    private let state = Mutex(State())

    /// Creates it before anything was picked.
    package init() {}

    /// The sender with whom a person has compared digits when picking; nil if none were compared.
    package var compared: PeerID? { state.withLock { $0.compared } }

    /// Whether an offer is one of several that were picked.
    package func contains(_ id: UUID) -> Bool { state.withLock { $0.all[id] != nil } }

    /// Whether an offer was picked from the list of its sender, who has proved its id.
    package func contains(_ id: UUID, from peer: PeerID?) -> Bool {
        peer != nil && state.withLock { $0.peer == peer && $0.all[id] != nil }
    }

    /// Whether a person has picked an offer from the list of its sender, who has proved its id, and it is what the list said.
    ///
    /// The list is only a promise: an offer with another name or area, or a larger one, is for a question of its own.
    package func isByPerson(_ offered: OfferedRegion, from peer: PeerID?) -> Bool {
        state.withLock { state in
            guard state.isByPerson, peer != nil, state.peer == peer, let listed = state.all[offered.id] else {
                return false
            }
            return offered.name == listed.name && offered.size <= listed.size
                && (offered.boundingBox == listed.boundingBox || offered.isPart)
        }
    }

    /// Whether everything that was picked is received or declined.
    package var isSettled: Bool { state.withLock { $0.left.isEmpty } }

    /// Whether an offer was picked, and is received or declined.
    package func isSettled(_ id: UUID) -> Bool { state.withLock { $0.all[id] != nil && !$0.left.contains(id) } }

    /// Notes what was picked from a list.
    package func pick(_ ids: [UUID], of list: [OfferedRegion], from peer: PeerID?, isCompared: Bool, isByPerson: Bool) {
        state.withLock { state in
            state.left = ids
            state.all = Dictionary(list.filter { ids.contains($0.id) }.map { ($0.id, $0) }) { first, _ in first }
            state.peer = peer
            state.isByPerson = isByPerson
            if isCompared { state.compared = peer }
        }
    }

    /// What is left of what was picked from an authenticated sender; empty if nothing was picked, or from another one.
    ///
    /// What it does not offer any more is given up.
    package func left(of peer: PeerID?, among ids: [UUID]) -> [UUID] {
        state.withLock { state in
            guard state.peer == peer, peer != nil else { return [] }
            let offered = Set(ids)
            state.left.removeAll { !offered.contains($0) }
            return state.left
        }
    }

    /// Nothing of what is left is wanted any more.
    package func giveUp() { state.withLock { $0.left = [] } }

    /// An offer was received; nil stands for the only one.
    package func received(_ id: UUID?) {
        state.withLock { state in
            state.receivedCount += 1
            state.left.removeAll { $0 == id }
        }
    }

    /// How many are left, what the list called the one that comes next, and how many regions were received.
    package var count: (left: Int, next: String?, received: Int) {
        state.withLock { state in
            (state.left.count, state.left.first.flatMap { state.all[$0]?.name }, state.receivedCount)
        }
    }

    /// The sender cannot make the offer that comes next: it is not waited for any more.
    package func passOver() { state.withLock { if !$0.left.isEmpty { $0.left.removeFirst() } } }

    /// An offer is not taken.
    package func declined(_ id: UUID) { state.withLock { $0.left.removeAll { $0 == id } } }
}
