import Crypto
import FoundationEssentials
import GRDB
import PeerProtocol
import RegionModel

/// Adds the items of a GPX file to a region, and recognises those that the region already has.
///
/// An item of the region is that of the file if it has the same id, or else the same name, positions and times.
///
/// - If the item of the region was not edited since the file was exported, a difference is an edit that another program made. So it
///   is taken over, and goes to other machines as any edit does.
/// - If the item of the region was edited later, it stays. It only gets the texts that it lacks.
/// - If the file has only the beginning of an item, because it ends early, the item of the region stays as it is.
struct KnownItems<Item: EditedItem> {
    private let regionID: UUID
    private let database: Database
    /// The ids of items whose names the file does not say.
    private let unnamed: Set<UUID>
    /// The ids of items that the file has only in part.
    private let cut: Set<UUID>
    private var room: ItemRoom<Item>
    private var counts = MergeCounts()

    /// Adds and merges items.
    ///
    /// - Returns: The numbers of items that were added, changed, and not changed.
    static func add(
        _ items: [Item],
        unnamed: Set<UUID> = [],
        cut: Set<UUID> = [],
        to regionID: UUID,
        _ kind: ResourceKind,
        _ database: Database
    ) throws -> MergeCounts {
        guard !items.isEmpty else { return MergeCounts() }
        var known = KnownItems(
            regionID: regionID,
            database: database,
            unnamed: unnamed,
            cut: cut,
            room: try ItemRoom(in: regionID, kind, database)
        )
        do {
            try known.add(items)
            if known.counts.imported > 0 { try ItemLimits.check(Item.self, of: regionID, kind, database) }
        } catch var error as RegionStoreError where error.code == .invalidArgument {
            error.remedy = "Import a smaller file, or import it into another region."
            throw error
        }
        return known.counts
    }

    /// Checks that there is room for items that are surely new: neither their ids nor their names are in the region.
    ///
    /// For all others, the items of the region have to be read, which takes seconds if it is nearly full.
    private func checkRoom(for items: [Item]) throws {
        if room.mayHold(items) { return }
        let column = ItemKind(rawValue: Item.tableName)?.nameColumn ?? "name"
        let sql = "SELECT id, \(column) FROM \(Item.tableName) WHERE regionID = ?"
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
        var known: Set<String> = []
        while let row = try rows.next() {
            let (id, name): (String, String) = (row[0], row[1])
            known.formUnion([id, name])
        }
        var room = room
        for item in items
        where !unnamed.contains(item.id) && known.isDisjoint(with: [item.id.uuidString, item.givenName]) {
            try room.take(item.leastWireLength)
        }
    }

    private mutating func add(_ items: [Item]) throws {
        try checkRoom(for: items)
        try completeFingerprints()
        // Items that are added meanwhile have no fingerprint yet, so identical items of one file stay separate items.
        for item in items {
            switch try find(item.id) {
            case .readable(let own) where isSame(item, own):
                counts.unchanged += 1
            case .readable where cut.contains(item.id):
                counts.keptLocal += 1
            case .readable(let own):
                let twins = try twins(of: item)
                if twins.contains(where: { isSame(item, $0) }) {
                    counts.unchanged += 1
                } else {
                    try merge(item, into: own)
                }
            case .unreadable:
                counts.keptLocal += 1
            case .missing:
                let twins = try twins(of: item)
                if twins.contains(where: { isSame(item, $0) }) {
                    counts.unchanged += 1
                } else if let twin = twins.first {
                    try merge(item, into: twin)
                } else {
                    try RegionItemRecord(regionID: regionID, item: item).insert(database)
                    counts.added += 1
                    try room.take(item.id, of: regionID, database)
                }
            }
        }
    }

    private func isSame(_ file: Item, _ own: Item) -> Bool { own.taking(.everything, from: said(file)) == own }

    /// Returns what the file says of an item: not the name that an item without a name has got.
    private func said(_ item: Item) -> Item {
        guard unnamed.contains(item.id) else { return item }
        var said = item
        said.givenName = ""
        return said
    }

    private mutating func merge(_ file: Item, into own: Item) throws {
        let isEditedLater = Self.seconds(own.modifiedAt) > Self.seconds(file.modifiedAt)
        var merged = own.taking(isEditedLater ? .missing : .everything, from: said(file))
        guard merged != own else {
            counts.keptLocal += 1
            return
        }
        merged.modifiedAt =
            Self.seconds(file.modifiedAt) > Self.seconds(own.modifiedAt)
            ? file.modifiedAt : MergeClock.next(after: own.effectiveDate)
        try RegionItemRecord(regionID: regionID, item: merged).update(database)
        counts.updated += 1
    }

    // Times are stored in whole seconds. An item that was never edited is older than any edit.
    private static func seconds(_ date: Date?) -> Double {
        date?.timeIntervalSince1970.rounded(.down) ?? -.infinity
    }

    // MARK: Items of the region

    private enum Found {
        case readable(Item)
        case unreadable
        case missing
    }

    private func find(_ id: UUID) throws -> Found {
        let sql = "SELECT * FROM \(Item.tableName) WHERE regionID = ? AND id = ?"
        let statement = try database.cachedStatement(sql: sql)
        let row = try Row.fetchOne(statement, arguments: [regionID.uuidString, id.uuidString])
        guard let row else { return .missing }
        return (try? RegionItemRecord<Item>(row: row).item).map(Found.readable) ?? .unreadable
    }

    /// Returns the items of the region with the same name, positions and times.
    private func twins(of item: Item) throws -> [Item] {
        guard let fingerprint = item.fingerprint else { return [] }
        let sql = "SELECT * FROM \(Item.tableName) WHERE regionID = ? AND fingerprint = ? LIMIT 100"
        let statement = try database.cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: [regionID.uuidString, Data(fingerprint)])
        var twins: [Item] = []
        while let row = try rows.next() {
            if let twin = try? RegionItemRecord<Item>(row: row).item { twins.append(twin) }
        }
        return twins
    }

    /// Computes the fingerprints of items that are new or changed; items that cannot be read have none.
    private func completeFingerprints() throws {
        let table = Item.tableName
        let numbers = try Int64.fetchAll(
            database,
            sql: "SELECT rowid FROM \(table) WHERE regionID = ? AND fingerprint IS NULL",
            arguments: [regionID.uuidString]
        )
        for number in numbers {
            let select = try database.cachedStatement(sql: "SELECT * FROM \(table) WHERE rowid = ?")
            guard let row = try Row.fetchOne(select, arguments: [number]),
                let fingerprint = try? RegionItemRecord<Item>(row: row).item.fingerprint
            else { continue }
            try database.cachedStatement(sql: "UPDATE \(table) SET fingerprint = ? WHERE rowid = ?")
                .execute(arguments: [Data(fingerprint), number])
        }
    }
}

/// Finds out in which regions items of a file already are.
enum KnownRegions {
    /// Finds the regions that have items, by the ids of these.
    static func find<Item: RegionItem>(
        _ items: [Item],
        _ regions: inout [UUID: Set<UUID>],
        _ database: Database
    ) throws {
        guard !items.isEmpty else { return }
        let ids = Set(items.map(\.id))
        let rows = try Row.fetchCursor(database, sql: "SELECT regionID, id FROM \(Item.tableName)")
        while let row = try rows.next() {
            guard let id = UUID(uuidString: row[1]), ids.contains(id), let region = UUID(uuidString: row[0]) else {
                continue
            }
            regions[id, default: []].insert(region)
        }
    }
}
