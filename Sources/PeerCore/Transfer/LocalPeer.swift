/// This machine, as it shows itself to others.
public struct LocalPeer: Sendable {
    /// The application, whose name sessions begin with; two peers of different applications refuse each other.
    public var application: PeerServiceType
    /// Key and certificate.
    public var identity: PeerIdentity
    /// The name under which this machine wants to be shown; at most 63 UTF-8 bytes are sent.
    public var displayName: String
    /// The program and its version, such as `notes 1.2`.
    public var software: String
    /// The system, such as `Linux`.
    public var platform: String

    /// Creates a description of this machine.
    public init(
        application: PeerServiceType,
        identity: PeerIdentity,
        displayName: String,
        software: String,
        platform: String = "Linux"
    ) {
        self.application = application
        self.identity = identity
        self.displayName = displayName
        self.software = software
        self.platform = platform
    }

    /// The peer id.
    public var id: PeerID { identity.id }

    func hello(_ configuration: SessionConfiguration, as role: SessionRole) -> Hello {
        let limits = configuration.limits
        return Hello(
            application: application.name,
            peerID: id,
            displayName: displayName.prefix(utf8Count: limits.maximumDisplayNameLength),
            platform: platform.prefix(utf8Count: limits.maximumTextLength),
            software: software.prefix(utf8Count: limits.maximumTextLength),
            role: role,
            encryption: configuration.encryption,
            maximumResourceSize: limits.maximumResourceSize,
            features: (configuration.lanes == .never ? [] : [Hello.lanesFeature]) + [Hello.pagesFeature]
        )
    }
}

/// The machine at the other end of a session.
public struct RemotePeer: Hashable, Sendable {
    /// Its id; proved by its certificate if ``security`` is encrypted, else only claimed.
    public var id: PeerID
    /// The name under which it wants to be shown.
    ///
    /// Says nothing about who it is, and must be escaped before it is shown.
    public var displayName: String
    /// Its system, in its own words.
    public var platform: String
    /// Its program, in its own words.
    public var software: String
    /// The address it speaks from.
    public var address: String
    /// Whether others can read what is said.
    public var security: ConnectionSecurity
    /// What is known of it.
    public var trust: PeerTrust
    /// Whether the secret of a link lets it in (for a sender), or let us in (for a receiver).
    public var admittedByLink = false
}

/// Whether others can read what is said.
public enum ConnectionSecurity: Hashable, Sendable {
    /// TLS 1.3; the peer's certificate proves this id.
    case encrypted(PeerID)
    /// Anybody on the network can read and change everything.
    case plainText

    /// The id that the peer's certificate proves; nil in plain text.
    public var certifiedID: PeerID? {
        if case .encrypted(let id) = self { id } else { nil }
    }
}
