package import PeerCore

/// A trust store that lasts as long as the process.
package final class MemoryTrustStore: TrustStore {
    private let names: Locked<[PeerID: String]>

    /// Creates a store.
    ///
    /// - Parameter peers: The peers that are trusted from the beginning, and their names.
    package init(_ peers: [PeerID: String] = [:]) {
        self.names = Locked(peers)
    }

    /// The trusted peers and their names.
    package var peers: [PeerID: String] { names.value }

    /// Returns what is known of a peer.
    package func trust(of id: PeerID, callingItself name: String) async -> PeerTrust {
        names.withLock { names in
            if let known = names[id] { return .trusted(name: known) }
            return names.values.first { PeerName.areAlike($0, name) }.map { .impostor(name: $0) } ?? .unknown
        }
    }

    /// Remembers a peer; one that is known already keeps its name.
    package func pin(_ id: PeerID, name: String) async {
        names.withLock { names in
            if names[id] == nil { names[id] = name }
        }
    }

    /// Forgets a peer.
    package func forget(_ id: PeerID) {
        names.withLock { $0[id] = nil }
    }
}
