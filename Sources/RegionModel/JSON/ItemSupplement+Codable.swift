import FoundationEssentials

// Texts that come from a file or a peer are bounded like those of the items.
extension GPXWords: Codable {
    private enum CodingKeys: String, CodingKey {
        case element
        case comment = "cmt"
        case isCommentTwice = "sameDesc"
        case description = "desc"
        case symbol = "sym"
        case type
        case color
        case icon
        case links
        case time
    }

    /// Reads texts.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        element = try container.textIfPresent(.element, atMost: ModelLimits.maximumNameLength)
        comment = try container.textIfPresent(.comment, atMost: ModelLimits.maximumTextLength)
        isCommentTwice = try container.decodeIfPresent(Bool.self, forKey: .isCommentTwice) ?? false
        description = try container.textIfPresent(.description, atMost: ModelLimits.maximumTextLength)
        symbol = try container.textIfPresent(.symbol, atMost: ModelLimits.maximumNameLength)
        type = try container.textIfPresent(.type, atMost: ModelLimits.maximumNameLength)
        color = try container.textIfPresent(.color, atMost: ModelLimits.maximumNameLength)
        icon = try container.textIfPresent(.icon, atMost: ModelLimits.maximumNameLength)
        if container.contains(.links), try !container.decodeNil(forKey: .links) {
            links = try container.array(.links, of: GPXLink.self, atMost: ModelLimits.maximumLinkCount)
        }
        time = try container.textIfPresent(.time, atMost: ModelLimits.maximumNameLength)
    }

    /// Writes the texts that there are.
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

extension GPXLink: Codable {
    private enum CodingKeys: String, CodingKey {
        case address = "href"
        case text
        case type
    }

    /// Reads a link.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        address = try container.text(.address, atMost: ModelLimits.maximumNameLength)
        text = try container.textIfPresent(.text, atMost: ModelLimits.maximumNameLength)
        type = try container.textIfPresent(.type, atMost: ModelLimits.maximumNameLength)
    }

    /// Writes the link.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(address, forKey: .address)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(type, forKey: .type)
    }
}

extension PointTexts: Codable {
    private enum CodingKeys: String, CodingKey {
        case index
        case name
        case comment = "cmt"
        case description = "desc"
        case symbol = "sym"
        case type
    }

    /// Reads the texts of a point.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        index = try container.decode(Int.self, forKey: .index)
        guard (0..<ModelLimits.maximumRoutePointCount).contains(index) else {
            throw container.wrong(.index, "is not the number of a point")
        }
        name = try container.textIfPresent(.name, atMost: ModelLimits.maximumNameLength)
        comment = try container.textIfPresent(.comment, atMost: ModelLimits.maximumTextLength)
        description = try container.textIfPresent(.description, atMost: ModelLimits.maximumTextLength)
        symbol = try container.textIfPresent(.symbol, atMost: ModelLimits.maximumNameLength)
        type = try container.textIfPresent(.type, atMost: ModelLimits.maximumNameLength)
    }

    /// Writes the texts that there are.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(index, forKey: .index)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(comment, forKey: .comment)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encodeIfPresent(symbol, forKey: .symbol)
        try container.encodeIfPresent(type, forKey: .type)
    }
}

extension KeyedDecodingContainer {
    /// Reads a table of points; no bytes count as no table.
    func tableIfPresent(_ key: Key) throws -> Data? {
        guard let base64 = try textIfPresent(key, atMost: ModelLimits.maximumTableLength / 3 * 4 + 4) else {
            return nil
        }
        guard let table = Data(base64Encoded: base64) else { throw wrong(key, "is not base64") }
        return table.isEmpty ? nil : table
    }
}
