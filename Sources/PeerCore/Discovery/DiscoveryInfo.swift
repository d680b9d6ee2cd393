package import Avahi
import FoundationEssentials

/// The properties that a peer announces.
///
/// None of them is proved. Use them for display and as hints only.
public struct DiscoveryInfo: Hashable, Sendable {
    /// The protocol version.
    public var protocolVersion: Int?
    /// The peer id that the peer claims.
    public var peerID: PeerID?
    /// The name that people see.
    public var displayName: String?
    /// The program and its version.
    public var software: String?
    /// Whether the peer requires encryption.
    public var encryption: EncryptionPreference?
    /// The name of the offered region.
    public var regionName: String?
    /// The total size of the offered resources, in bytes.
    public var size: UInt64?
    /// The number of offers; nil for one.
    package var offerCount: Int?
    /// The beginning of the digest of what is offered, by which a change shows.
    package var offerMark: String?
    /// The application's own keys, see ``DiscoveryRules``.
    public var custom: [String: String]

    /// Creates properties; those that are nil are not announced.
    public init(
        protocolVersion: Int? = ProtocolVersion.supported.max()?.number,
        peerID: PeerID? = nil,
        displayName: String? = nil,
        software: String? = nil,
        encryption: EncryptionPreference? = nil,
        regionName: String? = nil,
        size: UInt64? = nil,
        custom: [String: String] = [:]
    ) {
        self.protocolVersion = protocolVersion
        self.peerID = peerID
        self.displayName = displayName
        self.software = software
        self.encryption = encryption
        self.regionName = regionName
        self.size = size
        self.custom = custom
    }
}

extension DiscoveryInfo {
    private enum Key {
        static let version = "v"
        static let id = "id"
        static let shortName = "shortName"
        static let prettyName = "prettyName"
        static let software = "appVersion"
        static let encryption = "encryption"
        static let region = "region"
        static let size = "size"
        static let count = "offers"
        static let mark = "offer"
    }

    private static let maximumShortNameLength = 60
    /// The most offers that a reader believes.
    private static let maximumOfferCount = ProtocolLimits.standard.maximumCatalogueCount
    /// The longest mark of an offer.
    private static let maximumMarkLength = 16

    /// Reads a TXT record; invalid values are left out.
    package init(_ txt: TXTRecord) {
        let pretty = txt[Key.prettyName]
            .flatMap { Data(base64Encoded: $0) }
            .flatMap { String(validating: $0, as: UTF8.self) }
        self.init(
            protocolVersion: txt[Key.version].flatMap { Int($0) },
            peerID: txt[Key.id].flatMap { PeerID(hex: $0) },
            displayName: [pretty, txt[Key.shortName]].compactMap { $0 }.first { !$0.isEmpty },
            software: txt[Key.software],
            encryption: txt[Key.encryption].flatMap { EncryptionPreference(rawValue: $0) },
            regionName: txt[Key.region],
            size: txt[Key.size].flatMap { UInt64($0) },
            custom: DiscoveryRules.custom(in: txt)
        )
        offerCount = txt[Key.count].flatMap { Int($0) }.flatMap { (2...Self.maximumOfferCount).contains($0) ? $0 : nil }
        offerMark = txt[Key.mark].flatMap { $0.utf8.count <= Self.maximumMarkLength ? $0 : nil }
    }

    /// Announces the beginning of the digest of what is offered.
    package mutating func mark(_ digest: ContentDigest) {
        offerMark = String(digest.hex.prefix(Self.maximumMarkLength))
    }

    /// Writes the TXT record.
    ///
    /// Values that are too long are truncated at a character boundary. The name of the region gets the room that is left.
    package func txtRecord() throws -> TXTRecord {
        try DiscoveryRules.check(custom)
        var txt = TXTRecord()
        func set(_ key: String, _ value: String?) throws {
            guard let value else { return }
            try txt.set(key, to: TXTRecord.fitting(value, forKey: key))
        }
        try set(Key.version, protocolVersion.map { String($0) })
        try set(Key.id, peerID?.hex)
        try set(Key.shortName, displayName.map(Self.shortName))
        // Truncated before it is encoded, because a part of a base64 text is invalid.
        let pretty = displayName?.prefix(utf8Count: ProtocolLimits.standard.maximumDisplayNameLength)
        try set(Key.prettyName, pretty.map { Data($0.utf8).base64EncodedString() })
        try set(Key.software, software)
        try set(Key.encryption, encryption?.rawValue)
        try set(Key.size, size.map { String($0) })
        try set(Key.count, offerCount.map { String($0) })
        try set(Key.mark, offerMark)
        for (key, value) in custom.sorted(by: { $0.key < $1.key }) { try txt.set(key, to: value) }
        // A byte with the length stands before `key=value`.
        let room = TXTRecord.maximumLength - txt.encodedLength - Key.region.utf8.count - 2
        try set(Key.region, regionName?.prefix(utf8Count: max(0, room)))
        return txt
    }

    /// The printable ASCII characters of a name, with single spaces for white space of any kind, for those who cannot read
    /// the other form.
    private static func shortName(_ name: String) -> String {
        let words = name.unicodeScalars.split { $0.properties.isWhitespace }
            .map { word in String(String.UnicodeScalarView(word.filter { (0x21...0x7E).contains($0.value) })) }
            .filter { !$0.isEmpty }
        let name = words.joined(separator: " ").prefix(maximumShortNameLength)
        return String(name.last == " " ? name.dropLast() : name)
    }
}
