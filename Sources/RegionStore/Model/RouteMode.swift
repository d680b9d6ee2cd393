import PeerProtocol

/// How a planned route is travelled.
public enum RouteMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// On foot.
    case hiking

    /// On a bicycle.
    case cycling

    /// Reads a mode.
    public init(from decoder: any Decoder) throws {
        guard let known = try Self(shortNameFrom: decoder) else { throw DecodingError.unknownName(decoder) }
        self = known
    }
}
