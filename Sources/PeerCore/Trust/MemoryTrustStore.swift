import NIOConcurrencyHelpers

/// A trust store that lasts as long as the process.
public final class MemoryTrustStore: TrustStore {
    private let names: NIOLockedValueBox<[PeerID: String]>

    /// Creates a store.
    ///
    /// - Parameter peers: The peers that are trusted from the beginning, and their names.
    public init(_ peers: [PeerID: String] = [:]) {
        self.names = NIOLockedValueBox(peers)
    }

    /// The trusted peers and their names.
    public var peers: [PeerID: String] { names.withLockedValue { $0 } }

    /// Returns what is known of a peer.
    public func trust(of id: PeerID, callingItself name: String) async -> PeerTrust {
        names.withLockedValue { names in
            if let known = names[id] { return .trusted(name: known) }
            return names.values.first { PeerName.areAlike($0, name) }.map { .impostor(name: $0) } ?? .unknown
        }
    }

    /// Remembers a peer; one that is known already keeps its name.
    public func pin(_ id: PeerID, name: String) async {
        names.withLockedValue { names in
            if names[id] == nil { names[id] = name }
        }
    }

    /// Forgets a peer.
    public func forget(_ id: PeerID) {
        names.withLockedValue { $0[id] = nil }
    }
}
