/// What a side does in a session; who listens and who connects is another matter.
public enum SessionRole: String, Hashable, Sendable, Codable {
    /// It offers what it has.
    case sender
    /// It asks for what is offered.
    case receiver

    /// Reads a role from its name.
    public init(from decoder: any Decoder) throws {
        guard let role = try SessionRole(shortNameFrom: decoder) else { throw DecodingError.unknownName(decoder) }
        self = role
    }
}

/// What each side says of itself, first of all.
public struct Hello: Hashable, Sendable, Codable {
    /// The name of the application's service type, such as `hikeshare`; the two sides' must be the same.
    public var application: String
    /// The protocol versions that the side speaks.
    public var versions: [ProtocolVersion]
    /// The side's identity; on an encrypted connection it must be its certificate's.
    public var peerID: PeerID
    /// The name under which the side wants to be shown; says nothing about who it is.
    public var displayName: String
    /// The system that the side runs on, such as `Linux`.
    public var platform: String
    /// The program and its version, such as `hikeshare 0.1.0`.
    public var software: String
    /// What the side does in this session; the other side does the other thing.
    public var role: SessionRole
    /// What the side wants of encryption.
    public var encryption: EncryptionPreference
    /// The largest resource that the side can take, in bytes.
    public var maximumResourceSize: UInt64
    /// Names of optional features that the side knows, such as ``lanesFeature``.
    public var features: [String]

    /// The feature of a side that can use further connections of a session.
    public static let lanesFeature = "lanes"

    /// The feature of a side that can compare the pages of two versions of a resource.
    public static let pagesFeature = "pages"

    /// Creates a hello.
    public init(
        application: String,
        versions: [ProtocolVersion] = ProtocolVersion.supported,
        peerID: PeerID,
        displayName: String,
        platform: String,
        software: String,
        role: SessionRole,
        encryption: EncryptionPreference,
        maximumResourceSize: UInt64 = ChunkLayout.maximumSize,
        features: [String] = []
    ) {
        self.application = application
        self.versions = versions
        self.peerID = peerID
        self.displayName = displayName
        self.platform = platform
        self.software = software
        self.role = role
        self.encryption = encryption
        self.maximumResourceSize = maximumResourceSize
        self.features = features
    }

    /// Whether every feature has a name that features may have.
    ///
    /// The protocol's own have one label of `a`–`z`, `0`–`9` and `-`; those of others have several, joined by `.`: a domain
    /// name of theirs, its parts in reverse order, and a name.
    var hasFeatureNames: Bool {
        features.allSatisfy { name in
            name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty
                    && label.utf8.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    }
            }
        }
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        application.utf8.count <= limits.maximumApplicationNameLength
            && versions.count <= limits.maximumListLength && features.count <= limits.maximumListLength
            && displayName.utf8.count <= limits.maximumDisplayNameLength
            && ([platform, software] + features).allSatisfy { $0.utf8.count <= limits.maximumTextLength }
    }
}

/// A sign of life that asks for an answer, and the answer.
public struct Ping: Hashable, Sendable, Codable {
    /// Any number; the pong carries the same.
    public var nonce: UInt32

    /// Creates a ping.
    public init(nonce: UInt32) {
        self.nonce = nonce
    }
}

/// A person at one side stops the session.
public struct Cancellation: Hashable, Sendable, Codable {
    /// Why, for the person at the other side.
    public var reason: String

    /// Creates a cancellation.
    public init(reason: String) {
        self.reason = reason
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        reason.utf8.count <= limits.maximumTextLength
    }
}

/// Something went wrong at one side, which ends the session.
public struct Failure: Hashable, Sendable, Codable {
    /// What kind of error it is, of the wire format's table; an unknown code is to be read as `failed`.
    public var code: String
    /// What went wrong, for the person at the other side.
    public var message: String
    /// What to do about it.
    public var remedy: String?

    /// Creates a failure.
    public init(code: String, message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    private enum CodingKeys: CodingKey {
        case code
        case message
        case remedy
    }

    /// Reads a failure; only a missing remedy is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
        remedy = try container.decodeUnlessMissing(String.self, forKey: .remedy)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        [code, message, remedy ?? ""].allSatisfy { $0.utf8.count <= limits.maximumTextLength }
    }
}
