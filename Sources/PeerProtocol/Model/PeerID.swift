/// The identity of a peer: the SHA-256 digest of its public key (SubjectPublicKeyInfo, DER).
///
/// Two peers are the same if and only if their ids are. A display name, an address or anything else that discovery
/// tells decides nothing.
public struct PeerID: Hashable, Sendable {
    /// The digest of the public key.
    public let digest: ContentDigest

    /// Creates an id from the digest of a public key.
    public init(digest: ContentDigest) { self.digest = digest }

    /// Creates an id from 64 hexadecimal digits; nil for anything else.
    public init?(hex: some StringProtocol) {
        guard let digest = ContentDigest(hex: hex) else { return nil }
        self.digest = digest
    }

    /// The id as 64 lower-case hexadecimal digits.
    public var hex: String { digest.hex }

    /// Whether this id comes before another one, in the order of their hexadecimal texts.
    package func precedes(_ other: PeerID) -> Bool { digest.bytes.lexicographicallyPrecedes(other.digest.bytes) }

    /// The form shown to people: the first 64 bits, in groups of four digits, such as `3f9a-12cd-07be-55a1`.
    public var short: String {
        let digits = hex.prefix(16)
        return stride(from: 0, to: 16, by: 4)
            .map { digits.dropFirst($0).prefix(4) }
            .joined(separator: "-")
    }
}

extension PeerID: CustomStringConvertible {
    /// The short form.
    public var description: String { short }
}

extension PeerID: Codable {
    /// Reads an id from its hexadecimal text form.
    public init(from decoder: any Decoder) throws { self.digest = try ContentDigest(from: decoder) }

    /// Writes an id in its hexadecimal text form.
    public func encode(to encoder: any Encoder) throws { try digest.encode(to: encoder) }
}
