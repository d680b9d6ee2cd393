/// A link in a file of tracks.
package struct ItemLink: Hashable, Sendable {
    /// The address, which is never opened.
    package var address: String
    package var text: String?
    package var type: String?

    package init(address: String, text: String? = nil, type: String? = nil) {
        self.address = address
        self.text = text
        self.type = type
    }
}

extension ItemLink: Codable {
    private enum CodingKeys: String, CodingKey {
        case address = "href"
        case text, type
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        address = try container.text(.address, atMost: ModelLimits.maximumNameLength)
        text = try container.nameIfPresent(.text)
        type = try container.nameIfPresent(.type)
    }
}
