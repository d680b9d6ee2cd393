import NIOConcurrencyHelpers

/// Who is known: the one place where it is decided whether a peer is a friend or a stranger.
public protocol TrustStore: Sendable {
    /// Returns what is known of a peer.
    ///
    /// - Parameters:
    ///   - id: The peer's id, proved by its certificate. In plain text it is only claimed, and asked about to refuse whoever
    ///     claims a pinned one.
    ///   - name: The name under which the peer wants to be shown.
    /// - Returns: ``PeerTrust/trusted(name:)`` if the id is pinned, whatever the name; ``PeerTrust/impostor(name:)`` if the
    ///   name belongs to another pinned id; else ``PeerTrust/unknown``.
    /// - Throws: If it cannot be found out; the session then ends.
    func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust

    /// Remembers a peer as trusted under a name, after people on both sides have confirmed it.
    ///
    /// - Parameters:
    ///   - id: The peer's id.
    ///   - name: The name that the peer gave itself.
    /// - Throws: If it cannot be remembered; the session then ends.
    func pin(_ id: PeerID, name: String) async throws
}

/// What is known of a peer.
public enum PeerTrust: Hashable, Sendable {
    /// Nobody has confirmed this peer yet.
    case unknown
    /// A person has confirmed this peer under a name.
    case trusted(name: String)
    /// The peer calls itself as a trusted one is called, but has another key: somebody else, or a new identity.
    ///
    /// Sessions refuse it by themselves; nobody is asked.
    case impostor(name: String)
}

/// A trust store that knows nobody and remembers nobody, so that a person is asked about every peer.
public struct EmptyTrustStore: TrustStore {
    /// Creates a store.
    public init() {}

    /// Returns ``PeerTrust/unknown``.
    public func trust(of id: PeerID, callingItself name: String) async -> PeerTrust { .unknown }

    /// Does nothing.
    public func pin(_ id: PeerID, name: String) async {}
}

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
