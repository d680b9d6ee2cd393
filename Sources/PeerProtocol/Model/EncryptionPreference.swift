/// What a side wants of encryption, in the meaning that MultipeerConnectivity gives these words.
public enum EncryptionPreference: String, Hashable, Sendable, Codable, CaseIterable {
    /// The connection must be encrypted.
    case required
    /// The connection is encrypted unless the other side wants none.
    case optional
    /// The connection must not be encrypted.
    case none

    /// Reads a preference.
    public init(from decoder: any Decoder) throws {
        guard let known = try Self(shortNameFrom: decoder) else { throw DecodingError.unknownName(decoder) }
        self = known
    }
}
