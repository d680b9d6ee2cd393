import NIOConcurrencyHelpers
import PeerCore

/// The attached connections that programs on a network in memory expect.
final class InMemoryAttachments: Sendable {
    struct Entry: Sendable {
        var claim: ResourceNotice
        var owner: PeerID
        var peer: PeerID
        var arrival: Awaited<InMemoryConnection?>
    }

    private let entries = NIOLockedValueBox<[Entry]>([])

    func expect(_ entry: Entry) { entries.withLockedValue { $0.append(entry) } }

    func forget(_ claim: ResourceNotice) {
        let forgotten = entries.withLockedValue { entries in
            defer { entries.removeAll { $0.claim == claim } }
            return entries.filter { $0.claim == claim }
        }
        for entry in forgotten { entry.arrival.fulfil(nil) }
    }

    /// Takes the expectation of a connection that a peer has opened; nil if there is none.
    func take(_ claim: ResourceNotice, at owner: PeerID, from peer: PeerID) -> Entry? {
        entries.withLockedValue { entries in
            let index = entries.firstIndex { $0.claim == claim && $0.owner == owner && $0.peer == peer }
            return index.map { entries.remove(at: $0) }
        }
    }
}
