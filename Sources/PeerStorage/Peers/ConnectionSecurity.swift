public import PeerProtocol

/// Whether a connection is encrypted.
///
/// ```swift
/// if peer.security.certifiedID == nil { print("Anyone on this network can read and change the data.") }
/// ```
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ConnectionSecurity: Hashable, Sendable {
    /// TLS 1.3. The peer's certificate proves this id.
    case encrypted(PeerID)
    /// No encryption: any machine on the network can read and change everything.
    case plainText

    /// The id that the peer's certificate proves; nil in plain text.
    public var certifiedID: PeerID? { if case .encrypted(let id) = self { id } else { nil } }
}
