import FoundationEssentials
import GRDB
import PeerProtocol

/// The numbers of items of one kind that an import or a transfer added, replaced and kept.
public struct MergeCounts: Hashable, Sendable, Codable {
    /// The number of new items.
    public var added = 0

    /// The number of items that were replaced by newer ones.
    public var updated = 0

    /// The number of items that were identical.
    public var unchanged = 0

    /// The number of items that were kept, because they are not older than the incoming ones.
    public var keptLocal = 0

    /// Creates counts, all 0.
    package init() {}

    /// The number of added and replaced items.
    public var imported: Int { added + updated }

    /// The number of all items.
    public var total: Int { imported + unchanged + keptLocal }
}

/// The time by which other times are judged, and the latest one that is believed of an edit.
enum MergeClock {
    /// Now; a machine whose clock has stopped years ago is no judge of the future.
    static var now: Date { max(Date(), firstRelease) }

    /// A day from now.
    static var tomorrow: Date { now.addingTimeInterval(slack) }

    /// How far ahead a clock may be, in seconds.
    static let slack: TimeInterval = 86_400

    private static let firstRelease = Date(timeIntervalSince1970: 1_795_219_200)
}

extension RegionItemRecord {
    /// Merges items into a region: the newer one of two wins, the local one if both are as old.
    ///
    /// Times are compared in whole seconds, which is what is kept and travels. A time more than a day ahead tells only that a
    /// clock is wrong: such an item is taken if there is none, as of now, and replaces none that is here. A local item with
    /// such a time is replaced by any that has a time which can be. So neither a wrong clock nor a liar wins over what is
    /// edited here or elsewhere, and the same item coming again changes nothing.
    ///
    /// If nothing is to be replaced, every item that is here stays.
    static func merge(
        _ items: [Item],
        into regionID: UUID,
        replacing: Bool = true,
        _ database: Database
    ) throws -> MergeCounts {
        var counts = MergeCounts()
        for item in items { try merge(item, into: regionID, replacing: replacing, &counts, database) }
        return counts
    }

    /// Merges one item and counts what became of it.
    static func merge(
        _ item: Item,
        into regionID: UUID,
        replacing: Bool,
        _ counts: inout MergeCounts,
        _ database: Database
    ) throws {
        let (now, tomorrow) = (MergeClock.now, MergeClock.tomorrow)
        var incoming = item.belonging(to: regionID)
        let isFromTheFuture = incoming.effectiveDate > tomorrow
        guard let local = try fetchOne(item.id, of: regionID, database) else {
            if isFromTheFuture { incoming.modifiedAt = now }
            try Self(regionID: regionID, item: incoming).insert(database)
            counts.added += 1
            return
        }
        let merged = incoming.keeping(wordsOf: local)
        // A local time in the future is a wrong clock's as well: anything with a time that can be replaces it.
        let isReplaceable = local.effectiveDate > tomorrow
        let isNewer =
            !isFromTheFuture && (isReplaceable || seconds(incoming.effectiveDate) > seconds(local.effectiveDate))
        if try isSame(merged, local, withDate: isNewer) {
            counts.unchanged += 1
        } else if replacing, isNewer {
            try Self(regionID: regionID, item: merged).update(database)
            counts.updated += 1
        } else {
            counts.keptLocal += 1
        }
    }

    /// Adds the items that a region does not have; those that it has stay as they are.
    ///
    /// That is the rule for items whose id follows from what they say: one of the same id can only have been edited here.
    static func addMissing(
        _ items: [Item],
        to regionID: UUID,
        _ kind: ResourceKind,
        _ database: Database
    ) throws -> MergeCounts {
        var counts = MergeCounts()
        for item in items {
            if try fetchOne(item.id, of: regionID, database) == nil {
                try Self(regionID: regionID, item: item).insert(database)
                counts.added += 1
            } else {
                counts.unchanged += 1
            }
        }
        if counts.added > 0 { try ItemLimits.check(Item.self, of: regionID, kind, database) }
        return counts
    }

    private static func seconds(_ date: Date) -> Double {
        date.timeIntervalSince1970.rounded(.down)
    }

    /// Says whether two items say the same; what is not newer may have another date all the same.
    private static func isSame(_ merged: Item, _ local: Item, withDate: Bool) throws -> Bool {
        var merged = merged
        if !withDate { merged.modifiedAt = local.modifiedAt }
        guard Item.largeValues.allSatisfy({ $0.isEqual(merged, local) }) else { return false }
        return try wireForm(merged) == wireForm(local)
    }

    private static func wireForm(_ item: Item) throws -> Data {
        try SharedJSON.encode([item.withoutLargeValues])
    }
}
