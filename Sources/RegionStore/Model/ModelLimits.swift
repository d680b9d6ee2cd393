/// What one item of the model may hold at most, whoever sends it.
enum ModelLimits {
    /// The longest name or label, in UTF-8 bytes.
    static let maximumNameLength = 1000

    /// The longest comment, note or turn description, in UTF-8 bytes.
    static let maximumTextLength = 100_000

    /// The most points of a recorded track.
    static let maximumPointCount = 100_000

    /// The longest track as it is kept and sent, in bytes: as many points take this much if they do not compress.
    static let maximumTrackLength = maximumPointCount * 20 + 4096

    /// The most points of a planned route.
    static let maximumRoutePointCount = 25_000

    /// The most via points or turns of a planned route.
    static let maximumTurnCount = 10_000

    /// The longest list of turns of a planned route as JSON, in bytes.
    static let maximumTurnsLength = 2 << 20

    /// The longest point of a planned route as JSON, in bytes.
    static let maximumPointLength = 4096

    /// The longest item as JSON without its track or points, or a turn, in bytes: one text of full length of which every
    /// byte is escaped, and what stands beside it.
    static let maximumPartLength = maximumTextLength * 6 + 64 * 1024

    /// The most values of an item without its track or points, those included that have no meaning for it.
    static let maximumValueCount = 1000

    /// The largest count of tiles that is believed.
    static let maximumTileCount = 1 << 40
}
