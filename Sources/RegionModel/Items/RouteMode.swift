import PeerProtocol

/// The mode of travel of a planned route.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum RouteMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// On foot.
    case hiking

    /// On a bicycle.
    case cycling

    /// Decodes a mode.
    public init(from decoder: any Decoder) throws {
        guard let known = try Self(shortNameFrom: decoder) else { throw DecodingError.unknownName(decoder) }
        self = known
    }
}
