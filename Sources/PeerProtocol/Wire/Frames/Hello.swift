/// What each side says of itself, first of all.
package struct Hello: Hashable, Sendable, Codable {
    /// The name of the application's service type, such as `hikeshare`; the two sides' must be the same.
    package var application: String
    /// The protocol versions that the side speaks.
    package var versions: [ProtocolVersion]
    /// The side's identity; on an encrypted connection it must be its certificate's.
    package var peerID: PeerID
    /// The name under which the side wants to be shown; says nothing about who it is.
    package var displayName: String
    /// The system that the side runs on, such as `Linux`.
    package var platform: String
    /// The program and its version, such as `hikeshare 0.1.0`.
    package var software: String
    /// Which side of the connection it is; the other side is the other one.
    package var role: Conversation.Side
    /// What the side wants of encryption.
    package var encryption: EncryptionPreference
    /// The largest resource that the side can take, in bytes.
    package var maximumResourceSize: UInt64
    /// Names of optional features that the side knows, such as ``lanesFeature``.
    package var features: [String]
    /// Which run of its program the side is; only a side with ``sessionsFeature`` says it.
    package var incarnation: Incarnation?

    /// The feature of a side that can use further connections of a transfer.
    package static let lanesFeature = "lanes"

    /// The feature of a side that can compare the pages of two versions of a resource.
    package static let piecesFeature = "pieces"

    /// The feature of a side that can keep a link with the other side.
    package static let sessionsFeature = "sessions"

    package init(
        application: String,
        versions: [ProtocolVersion] = ProtocolVersion.supported,
        peerID: PeerID,
        displayName: String,
        platform: String,
        software: String,
        role: Conversation.Side,
        encryption: EncryptionPreference,
        maximumResourceSize: UInt64 = ChunkLayout.maximumSize,
        features: [String] = [],
        incarnation: Incarnation? = nil
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
        self.incarnation = incarnation
    }

    private enum CodingKeys: CodingKey {
        case application
        case versions
        case peerID
        case displayName
        case platform
        case software
        case role
        case encryption
        case maximumResourceSize
        case features
        case incarnation
    }

    /// Reads a hello.
    ///
    /// A missing incarnation is nil; any other missing key is an error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        application = try container.decode(String.self, forKey: .application)
        versions = try container.decode([ProtocolVersion].self, forKey: .versions)
        peerID = try container.decode(PeerID.self, forKey: .peerID)
        displayName = try container.decode(String.self, forKey: .displayName)
        platform = try container.decode(String.self, forKey: .platform)
        software = try container.decode(String.self, forKey: .software)
        role = try container.decode(Conversation.Side.self, forKey: .role)
        encryption = try container.decode(EncryptionPreference.self, forKey: .encryption)
        maximumResourceSize = try container.decode(UInt64.self, forKey: .maximumResourceSize)
        features = try container.decode([String].self, forKey: .features)
        incarnation = try container.decodeUnlessMissing(Incarnation.self, forKey: .incarnation)
    }

    /// Whether the side says which run of its program it is, if it can keep a link.
    var hasNeededIncarnation: Bool { incarnation != nil || !features.contains(Self.sessionsFeature) }

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
