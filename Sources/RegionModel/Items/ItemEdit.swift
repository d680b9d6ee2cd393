package import FoundationEssentials
package import PeerProtocol

/// A hike, planned route or waypoint that the sender of a region has edited or removed, as the offer names it.
///
/// With it, a receiver that has the region, too, can say what would be replaced before anything is received. Nothing is merged by
/// it: the items themselves follow in their lists, and what a sender has removed stays at the receiver.
package struct ItemEdit: Hashable, Sendable, Identifiable {
    /// The maximum number of edits of an offer, which are the latest ones.
    package static let maximumCount = 100

    /// The maximum length of a name, in bytes of UTF-8; longer ones are cut, so all edits take at most about 40 kB.
    package static let maximumNameLength = 120

    /// The list that has the item.
    package var kind: ResourceKind
    package var id: UUID

    /// The sender's name of the item; nil if the sender has removed it.
    package var name: String?

    /// When the item was edited or removed.
    package var time: Date

    /// Creates an edit; `name` is nil for an item that was removed.
    package init(of kind: ResourceKind, _ id: UUID, named name: String?, at time: Date) {
        self.kind = kind
        self.id = id
        self.name = name.map(Self.cut)
        self.time = time
    }

    /// Returns a name as an edit has it: its start, in one line.
    package static func cut(_ name: String) -> String { name.line(utf8Count: maximumNameLength) }
}

extension ItemEdit: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, id, name, time
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(ResourceKind.self, forKey: .kind)
        id = try container.decode(UUID.self, forKey: .id)
        name = try container.textIfPresent(.name, atMost: Self.maximumNameLength)
        time = try container.date(.time)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(date: time, forKey: .time)
    }
}
