package import FoundationEssentials
import PeerStorage

/// What a GPX file says of an item, and what OpenHiker's models have no field for.
///
/// In JSON the values have keys that OpenHiker ignores.
package struct ItemSupplement: Hashable, Sendable {
    /// The texts of the item; nil if the item does not come from a GPX file. (`gpx` in JSON)
    package var words: GPXWords?

    /// A table of positions, elevations, times and segments; nil if there is none. (`trackDetail` in JSON)
    package var track: Data?

    /// A table of heart rates and other values of sensors, which counts as health data; nil if there is none. (`trackSensors` in
    /// JSON)
    package var sensors: Data?

    /// The texts of the points of a planned route; nil if there are none. (`pointTexts` in JSON)
    package var pointTexts: [PointTexts]?

    /// Creates a supplement; without arguments, an empty one.
    package init(
        words: GPXWords? = nil,
        track: Data? = nil,
        sensors: Data? = nil,
        pointTexts: [PointTexts]? = nil
    ) {
        self.words = words
        self.track = track
        self.sensors = sensors
        self.pointTexts = pointTexts
    }

    /// Returns the supplement with values of another one that it lacks.
    ///
    /// - Parameters:
    ///   - other: The supplement of another version of the item.
    ///   - hasSameLine: Whether the versions have the same points. If not, what the other one says of its points does not belong
    ///     to those of this one.
    /// - Returns: The supplement of the merged item.
    package func filled(from other: ItemSupplement, hasSameLine: Bool) -> ItemSupplement {
        var copy = self
        copy.words = other.words.map { words?.filled(from: $0) ?? $0 } ?? words
        guard hasSameLine else { return copy }
        copy.track = track ?? other.track
        copy.sensors = sensors ?? other.sensors
        copy.pointTexts = pointTexts ?? other.pointTexts
        return copy
    }
}

/// The texts of an item in a GPX file, as far as the item itself does not have them.
package struct GPXWords: Hashable, Sendable {
    /// The element of a planned route if it is not `rte`: `trk`.
    package var element: String?

    /// The comment (`cmt`), which is also the end of the item's own comment or note.
    package var comment: String?

    /// Whether the description (`desc`) is the same text as the comment.
    package var isCommentTwice = false

    /// The description (`desc`) of a planned route.
    ///
    /// The description of another item is the beginning of its own comment or note.
    package var description: String?

    /// The symbol (`sym`).
    package var symbol: String?

    /// The type (`type`).
    package var type: String?

    /// The colour, as the file writes it.
    package var color: String?

    /// The icon of OsmAnd.
    package var icon: String?

    /// The links.
    package var links: [GPXLink] = []

    /// The time of a waypoint if it is not the item's own: ISO 8601, or empty if the file has none.
    package var time: String?

    /// Creates texts, all missing.
    package init() {}

    /// Returns the texts with those of another version that they lack.
    ///
    /// The time is no text: that it is missing says something.
    func filled(from other: GPXWords) -> GPXWords {
        var copy = self
        copy.element = element ?? other.element
        if comment == nil { (copy.comment, copy.isCommentTwice) = (other.comment, other.isCommentTwice) }
        copy.description = description ?? other.description
        copy.symbol = symbol ?? other.symbol
        copy.type = type ?? other.type
        copy.color = color ?? other.color
        copy.icon = icon ?? other.icon
        if links.isEmpty { copy.links = other.links }
        return copy
    }
}

/// A link in a GPX file.
package struct GPXLink: Hashable, Sendable {
    /// The address, which is never opened.
    package var address: String

    /// The text; nil if there is none.
    package var text: String?

    /// The media type; nil if there is none.
    package var type: String?

    /// Creates a link.
    package init(address: String, text: String? = nil, type: String? = nil) {
        self.address = address
        self.text = text
        self.type = type
    }
}

/// The texts of a point of a planned route.
package struct PointTexts: Hashable, Sendable {
    /// The number of the point, from 0.
    package var index: Int

    /// The name.
    package var name: String?

    /// The comment (`cmt`).
    package var comment: String?

    /// The description (`desc`).
    package var description: String?

    /// The symbol (`sym`).
    package var symbol: String?

    /// The type (`type`).
    package var type: String?

    /// Creates texts, all missing.
    package init(index: Int) {
        self.index = index
    }
}
