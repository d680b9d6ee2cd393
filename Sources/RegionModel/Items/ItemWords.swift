/// The texts of an item in a file of tracks that the item itself has no field for.
package struct ItemWords: Hashable, Sendable {
    /// The element of a planned route if it is not `rte`: `trk`.
    package var element: String?

    /// The comment (`cmt`), which is also the end of the item's own comment or note.
    package var comment: String?

    /// Whether the description (`desc`) is the same text as the comment.
    package var isCommentTwice = false

    /// The description (`desc`) of a planned route; that of another item is the beginning of its comment or note.
    package var description: String?
    package var symbol: String?
    package var type: String?

    /// The colour, as the file writes it.
    package var color: String?

    /// The icon of OsmAnd.
    package var icon: String?
    package var links: [ItemLink] = []

    /// The time of a waypoint if it is not the item's own: ISO 8601, or empty if the file has none.
    package var time: String?

    /// Creates texts, all missing.
    package init() {}

    /// Returns the texts with those of another version that they lack.
    ///
    /// The time is no text: that it is missing says something.
    func filled(from other: ItemWords) -> ItemWords {
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

// Texts that come from a file or a peer are bounded like those of the items.
extension ItemWords: Codable {
    private enum CodingKeys: String, CodingKey {
        case element, type, color, icon, links, time
        case comment = "cmt"
        case isCommentTwice = "sameDesc"
        case description = "desc"
        case symbol = "sym"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        element = try container.nameIfPresent(.element)
        comment = try container.textIfPresent(.comment, atMost: ModelLimits.maximumTextLength)
        isCommentTwice = try container.decodeIfPresent(Bool.self, forKey: .isCommentTwice) ?? false
        description = try container.textIfPresent(.description, atMost: ModelLimits.maximumTextLength)
        symbol = try container.nameIfPresent(.symbol)
        type = try container.nameIfPresent(.type)
        color = try container.nameIfPresent(.color)
        icon = try container.nameIfPresent(.icon)
        links = try container.arrayIfPresent(.links, atMost: ModelLimits.maximumLinkCount) ?? []
        time = try container.nameIfPresent(.time)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(element, forKey: .element)
        try container.encodeIfPresent(comment, forKey: .comment)
        if isCommentTwice { try container.encode(true, forKey: .isCommentTwice) }
        try container.encodeIfPresent(description, forKey: .description)
        try container.encodeIfPresent(symbol, forKey: .symbol)
        try container.encodeIfPresent(type, forKey: .type)
        try container.encodeIfPresent(color, forKey: .color)
        try container.encodeIfPresent(icon, forKey: .icon)
        if !links.isEmpty { try container.encode(links, forKey: .links) }
        try container.encodeIfPresent(time, forKey: .time)
    }
}
