import PeerProtocol
import RegionModel

/// The numbers of items of one kind that an import or a transfer added, replaced and kept.
public struct MergeCounts: Hashable, Sendable, Codable {
    /// The number of new items.
    public var added = 0

    /// The number of items that were replaced by newer ones.
    public var updated = 0

    /// The number of items that were identical.
    public var unchanged = 0

    /// The number of items that were kept, because they are not older than the incoming ones, or that stay removed.
    public var keptLocal = 0

    /// What happened to single items: at most `ItemChange.maximumCount` of each outcome.
    private(set) var changes: [ItemChange] = []

    private enum CodingKeys: CodingKey { case added, updated, unchanged, keptLocal }

    /// Creates counts, all 0.
    package init() {}

    /// The number of added and replaced items.
    public var imported: Int { added + updated }

    /// The number of all items.
    public var total: Int { imported + unchanged + keptLocal }

    /// Notes what happened to an item.
    mutating func note<Item: RegionItem>(_ outcome: ItemChange.Outcome, _ incoming: Item, local: Item? = nil) {
        guard changes.count(where: { $0.outcome == outcome }) < ItemChange.maximumCount,
            let kind = ItemKind(rawValue: Item.tableName)?.resourceKind
        else { return }
        let localName = local.flatMap { $0.givenName == incoming.givenName ? nil : $0.givenName }
        var change = ItemChange(outcome, of: kind, named: incoming.givenName, localName: localName)
        if let local { change.setNotes(incoming.remark, local: local.remark) }
        changes.append(change)
    }
}
