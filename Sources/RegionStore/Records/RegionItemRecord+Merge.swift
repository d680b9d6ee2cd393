import FoundationEssentials
import GRDB
import PeerProtocol
import RegionModel

extension RegionItemRecord {
    /// Merges items into a region.
    ///
    /// The newer of two items wins, or the local one if both have the same time. A newer incoming item keeps the local values that it
    /// lacks. An older incoming item changes nothing: a person may have removed here what it has.
    ///
    /// Times are compared in whole seconds, as they are stored and sent. A time more than a day ahead is implausible: such an
    /// item is added with the current time if the store does not have it, and replaces nothing. A local item with such a time
    /// is replaced by any item with a plausible time. So a wrong clock or a false time never wins over an edit, and repeating
    /// a transfer changes nothing.
    ///
    /// A removed item counts as a local item that was last edited when it was removed. So it comes back only if it was edited
    /// later.
    ///
    /// If nothing is to be replaced, all local items stay, and removed items do not come back.
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

    /// Merges one item and counts the result.
    static func merge(
        _ item: Item,
        into regionID: UUID,
        replacing: Bool,
        _ counts: inout MergeCounts,
        _ database: Database
    ) throws {
        let now = MergeClock.now
        var incoming = item.belonging(to: regionID)
        let isFromTheFuture = incoming.effectiveDate > MergeClock.tomorrow
        switch try outcome(of: incoming, in: regionID, replacing: replacing, database) {
        case .add:
            if isFromTheFuture { incoming.modifiedAt = now }
            try Self(regionID: regionID, item: incoming).insert(database)
            counts.added += 1
            counts.note(.added, incoming)
        case .update(let merged, let local):
            try Self(regionID: regionID, item: merged).update(database)
            counts.updated += 1
            counts.note(.replaced, merged, local: local)
        case .same:
            counts.unchanged += 1
        case .keep(let local):
            counts.keptLocal += 1
            counts.note(local == nil ? .staysRemoved : .kept, incoming, local: local)
        }
    }

    private enum Outcome {
        case add
        case update(Item, of: Item)
        case same
        /// Nil for an item that was removed.
        case keep(Item?)
    }

    /// Decides what becomes of an incoming item.
    ///
    /// The local item may be large; it is in memory only until this returns, not while a row is written.
    private static func outcome(
        of incoming: Item,
        in regionID: UUID,
        replacing: Bool,
        _ database: Database
    ) throws -> Outcome {
        guard let local = try fetchOne(incoming.id, of: regionID, database) else {
            guard let removedAt = try RemovedItem.time(of: incoming.id, Item.tableName, of: regionID, database) else {
                return .add
            }
            return replacing && MergeClock.isNewer(incoming.effectiveDate, than: removedAt) ? .add : .keep(nil)
        }
        let merged = incoming.filled(from: local)
        let isNewer = MergeClock.isNewer(incoming.effectiveDate, than: local.effectiveDate)
        if try isSame(merged, local, withDate: isNewer) { return .same }
        guard replacing else { return .keep(local) }
        if isNewer { return .update(merged, of: local) }
        return try filled(local, from: incoming).map { .update($0, of: local) } ?? .keep(local)
    }

    /// Returns the local item with what it lacks, if the incoming one is equally old or neither was ever edited; nil if it gets
    /// nothing.
    ///
    /// Otherwise a reduced copy that came first, such as one of a GPX file, would stay reduced.
    private static func filled(_ local: Item, from incoming: Item) throws -> Item? {
        // Items that were never edited have the times of their imports, which say nothing of their content.
        let isUnedited = incoming.modifiedAt == nil && local.modifiedAt == nil
        let isEquallyOld = MergeClock.seconds(incoming.effectiveDate) == MergeClock.seconds(local.effectiveDate)
        guard isUnedited || isEquallyOld else { return nil }
        let filled = local.filled(from: incoming)
        return try isSame(filled, local, withDate: true) ? nil : filled
    }

    /// Returns whether two items have the same content; the time of the last edit counts only if `withDate` is set.
    private static func isSame(_ merged: Item, _ local: Item, withDate: Bool) throws -> Bool {
        var merged = merged
        if !withDate { merged.modifiedAt = local.modifiedAt }
        guard Item.largeValues.allSatisfy({ $0.isEqual(merged, local) }) else { return false }
        return try wireForm(merged) == wireForm(local)
    }

    private static func wireForm(_ item: Item) throws -> Data {
        var data = Data()
        try SharedJSON.write(item.withoutLargeValues) { data += $0 }
        return data
    }
}
