public import PeerProtocol

/// The machine on the other side of a connection.
///
/// ```swift
/// func question(about peer: RemotePeer) -> String {
///     switch peer.trust {
///     case .trusted(let name), .known(let name): "Send to \(name)?"
///     case .unknown: "Send to a new machine that calls itself \(peer.displayName.debugDescription)?"
///     case .impostor(let name): "This machine is not \(name)."
///     @unknown default: "Send to this machine?"
///     }
/// }
/// ```
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
