public import PeerProtocol

/// The machine on the other side of a connection.
public struct RemotePeer: Hashable, Sendable {
    /// The id.
    ///
    /// The certificate proves it if ``security`` is encrypted; otherwise it is only claimed.
    public var id: PeerID
    /// The name that the peer has chosen.
    ///
    /// The name proves nothing. Escape it before you show it.
    public var displayName: String
    /// The operating system, as the peer reports it.
    public var platform: String
    /// The program and its version, as the peer reports them.
    public var software: String
    /// The address and port of the peer, as text.
    public var address: String
    /// Whether the connection is encrypted.
    public var security: ConnectionSecurity
    /// Whether the peer is trusted.
    public var trust: PeerTrust
    /// Whether the secret of a share link admits the peer (for a sender) or admitted this machine (for a receiver).
    public var isAdmittedByShareLink = false
    /// Whether long packets get lost on the way, so that only small ones are used; known to the side that has connected.
    package var usesSmallSegments = false

    /// Creates a description.
    package init(
        id: PeerID,
        displayName: String,
        platform: String,
        software: String,
        address: String,
        security: ConnectionSecurity,
        trust: PeerTrust
    ) {
        self.id = id
        self.displayName = displayName
        self.platform = platform
        self.software = software
        self.address = address
        self.security = security
        self.trust = trust
    }
}

/// Whether a connection is encrypted.
public enum ConnectionSecurity: Hashable, Sendable {
    /// TLS 1.3. The peer's certificate proves this id.
    case encrypted(PeerID)
    /// No encryption: any machine on the network can read and change everything.
    case plainText

    /// The id that the peer's certificate proves; nil in plain text.
    public var certifiedID: PeerID? {
        if case .encrypted(let id) = self { id } else { nil }
    }
}
