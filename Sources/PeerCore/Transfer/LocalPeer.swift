import Glibc

/// This machine, as other peers see it.
public struct LocalPeer: Sendable {
    /// The application.
    ///
    /// Peers of different applications reject each other.
    public var application: PeerServiceType
    /// The key and the certificate.
    public var identity: PeerIdentity
    /// The name that people see; at most 63 bytes of UTF-8 are sent.
    public var displayName: String
    /// The program and its version, such as `notes 1.2`.
    public var software: String
    /// The system, such as `Linux`.
    public var platform: String

    /// Creates a description of this machine.
    ///
    /// - Parameters:
    ///   - application: The application.
    ///   - identity: The key and the certificate.
    ///   - displayName: The name that people see.
    ///   - software: The program and its version, such as `notes 1.2`.
    ///   - platform: The system; nil for the name that the system gives itself.
    public init(
        application: PeerServiceType,
        identity: PeerIdentity,
        displayName: String,
        software: String,
        platform: String? = nil
    ) {
        self.application = application
        self.identity = identity
        self.displayName = displayName
        self.software = software
        self.platform = platform ?? Self.systemName
    }

    /// The peer id.
    public var id: PeerID { identity.id }

    /// The name that the system gives itself (POSIX, `uname`), such as `Linux`.
    private static var systemName: String {
        var system = utsname()
        guard uname(&system) == 0 else { return "" }
        return withUnsafeBytes(of: system.sysname) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// What this machine says of itself, first of all, on each connection.
    package func hello(_ configuration: SessionConfiguration, as role: ConversationSide) -> Hello {
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

/// The machine on the other side of a session.
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
    /// Whether the secret of a link admits the peer (for a sender) or admitted this machine (for a receiver).
    public var admittedByLink = false

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

extension RemotePeer {
    /// Describes the peer that has said hello.
    init(_ hello: Hello, at address: String, certifiedID: PeerID?, trust: PeerTrust) {
        self.init(
            id: hello.peerID,
            displayName: hello.displayName,
            platform: hello.platform,
            software: hello.software,
            address: address,
            security: certifiedID.map { .encrypted($0) } ?? .plainText,
            trust: trust
        )
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
