/// The limits on the content of one item, and on the number of items.
package enum ModelLimits {
    /// The maximum length of a name or label, in bytes of UTF-8.
    package static let maximumNameLength = 1000

    /// The maximum length of a comment, note or turn description, in bytes of UTF-8.
    package static let maximumTextLength = 100_000

    /// The maximum number of items of a kind, in a list that is sent or a file that is read.
    package static let maximumItemCount = 100_000

    /// The maximum number of points of a recorded track.
    package static let maximumPointCount = 100_000

    /// The maximum length of an encoded track, in bytes: the length of the maximum number of points without compression.
    package static let maximumTrackLength = maximumPointCount * 20 + 4096

    /// The maximum length of a table of points, in bytes, compressed or not: 13 bytes for each of the maximum number of points.
    ///
    /// Neighbouring points differ little, so a real table has less than 9 bytes for each point.
    package static let maximumTableLength = 1_300_000

    /// The maximum number of links of an item.
    package static let maximumLinkCount = 20

    /// The maximum number of points of a planned route.
    package static let maximumRoutePointCount = 25_000

    /// The maximum number of via points or turns of a planned route.
    package static let maximumTurnCount = 10_000

    /// The maximum length of the turns of a planned route as JSON, in bytes.
    package static let maximumTurnsLength = 2 << 20

    /// The maximum length of a point of a planned route as JSON, in bytes.
    package static let maximumPointLength = 4096

    /// The maximum length of a turn, or of an item without its track or points, as JSON, in bytes: two texts of full length with every byte
    /// escaped, and the other values, links included.
    package static let maximumPartLength = maximumTextLength * 12 + 512 * 1024

    /// The maximum number of JSON values of an item without its track or points, including unknown ones.
    package static let maximumValueCount = 1000

    /// The maximum plausible number of tiles.
    package static let maximumTileCount = 1 << 40
}
