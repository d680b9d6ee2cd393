/// What one item of the model may hold at most, whoever sends it.
enum ModelLimits {
    /// The longest name or label, in UTF-8 bytes.
    static let maximumNameLength = 1000

    /// The longest comment, note or turn description, in UTF-8 bytes.
    static let maximumTextLength = 100_000

    /// The most points of a route or of a recorded track.
    static let maximumPointCount = 1_000_000

    /// The longest compressed track, in bytes.
    static let maximumTrackLength = maximumPointCount * 20

    /// The most via points or turns of a planned route.
    static let maximumTurnCount = 100_000

    /// The largest count of tiles that is believed.
    static let maximumTileCount = 1 << 40
}
