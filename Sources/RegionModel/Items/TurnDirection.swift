import PeerProtocol

/// The direction of a turn of a planned route.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum TurnDirection: String, Hashable, Sendable, Codable, CaseIterable {
    /// The route begins.
    case start
    /// Straight on.
    case straight
    /// Slightly to the left.
    case slightLeft
    /// To the left.
    case left
    /// Sharply to the left.
    case sharpLeft
    /// Slightly to the right.
    case slightRight
    /// To the right.
    case right
    /// Sharply to the right.
    case sharpRight
    /// A turn back.
    case uTurn
    /// The route ends.
    case arrive

    /// Decodes a direction.
    public init(from decoder: any Decoder) throws {
        guard let known = try Self(shortNameFrom: decoder) else { throw DecodingError.unknownName(decoder) }
        self = known
    }
}
