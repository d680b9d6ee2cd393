import Glibc

/// This machine, as other peers see it.
///
/// ```swift
/// let application = try PeerServiceType(validating: "notes")
/// let identity = try PeerIdentity.load(orCreateAt: "/home/anna/.notes/identity.pem", for: application)
/// return LocalPeer(application: application, identity: identity, displayName: "Anna", software: "notes 1")
/// ```
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
    package func hello(_ configuration: ConnectionConfiguration, as role: Conversation.Side) -> Hello {
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
            features: (configuration.lanes == .never ? [] : [Hello.lanesFeature]) + [Hello.piecesFeature]
        )
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
