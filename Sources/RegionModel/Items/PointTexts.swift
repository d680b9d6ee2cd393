/// The texts of a point of a planned route.
package struct PointTexts: Hashable, Sendable {
    /// The number of the point, from 0.
    package var index: Int
    package var name: String?
    package var comment: String?
    package var description: String?
    package var symbol: String?
    package var type: String?

    /// Creates texts, all missing.
    package init(index: Int) { self.index = index }
}

extension PointTexts: Codable {
    private enum CodingKeys: String, CodingKey {
        case index, name, type
        case comment = "cmt"
        case description = "desc"
        case symbol = "sym"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        index = try container.decode(Int.self, forKey: .index)
        guard (0..<ModelLimits.maximumRoutePointCount).contains(index) else {
            throw container.wrong(.index, "is not the number of a point")
        }
        name = try container.nameIfPresent(.name)
        comment = try container.textIfPresent(.comment, atMost: ModelLimits.maximumTextLength)
        description = try container.textIfPresent(.description, atMost: ModelLimits.maximumTextLength)
        symbol = try container.nameIfPresent(.symbol)
        type = try container.nameIfPresent(.type)
    }
}
