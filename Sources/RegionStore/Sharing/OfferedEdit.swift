package import FoundationEssentials
import GRDB
import PeerProtocol
package import RegionModel

/// What an offer would do to an item of this store that its sender has edited or removed.
package struct OfferedEdit: Hashable, Sendable {
    /// What the sender has done.
    package var edit: ItemEdit

    /// The name of the item here.
    package var localName: String

    /// Whether the sender's version replaces the one here; false for a removed item, which stays here.
    package var replaces: Bool

    /// Whether the version here was edited on this machine, and not received.
    package var isOwn = true

    package init(edit: ItemEdit, localName: String, replaces: Bool, isOwn: Bool = true) {
        self.edit = edit
        self.localName = localName
        self.replaces = replaces
        self.isOwn = isOwn
    }

    /// Compares an edit with the item in the store.
    ///
    /// - Returns: The comparison; nil if the item is not here, or if nothing that a person wrote here is at stake.
    static func compare(_ edit: ItemEdit, in regionID: UUID, _ database: Database) throws -> OfferedEdit? {
        guard let kind = ItemKind.allCases.first(where: { $0.resourceKind == edit.kind }) else { return nil }
        let sql = """
            SELECT \(kind.nameColumn) AS name, modifiedAt, coalesce(modifiedAt, \(kind.timeColumn)) AS latest,
                \(ReceivedEdit.isReceived(kind.tableName)) AS isReceived
            FROM \(kind.tableName) WHERE regionID = ? AND id = ?
            """
        let statement = try database.cachedStatement(sql: sql)
        guard let row = try Row.fetchOne(statement, arguments: [regionID.uuidString, edit.id.uuidString]) else {
            return nil
        }
        let (localName, latest): (String, Double) = (row["name"], row["latest"])
        let isNewer = MergeClock.isNewer(edit.time, than: Date(timeIntervalSince1970: latest))
        guard let name = edit.name else {
            // What was edited here after it was removed there is no leftover.
            return isNewer ? OfferedEdit(edit: edit, localName: localName, replaces: false) : nil
        }
        let isEditedHere = row["modifiedAt"] as Double? != nil
        guard name != ItemEdit.cut(localName) || isNewer && isEditedHere else {
            return nil
        }
        let isOwn = isEditedHere && !(row["isReceived"] as Bool)
        return OfferedEdit(edit: edit, localName: localName, replaces: isNewer, isOwn: isOwn)
    }
}

extension RegionStore {
    /// Returns what an offer would do to items of this store that its sender has edited or removed.
    ///
    /// - Parameter id: The id under which the store has it; nil for its own.
    /// - Returns: The items about which a person should know, the latest edit first; empty if the store does not have the region.
    package func offeredEdits(of region: Region, in id: UUID? = nil) throws -> [OfferedEdit] {
        try database.read { database in
            try region.edits.compactMap { try OfferedEdit.compare($0, in: id ?? region.id, database) }
        }
    }
}

/// The latest edits of a region, for its offer.
struct EditSelection {
    /// The edits, the latest first.
    private(set) var edits: [ItemEdit] = []

    /// Adds an item, if it was ever edited.
    mutating func add(_ item: some RegionItem, _ kind: ResourceKind) {
        guard let time = item.modifiedAt else { return }
        add(ItemEdit(of: kind, item.id, named: item.givenName, at: time))
    }

    /// Adds the items of a kind that a person has removed from the region.
    mutating func addRemoved(_ kind: ItemKind, from regionID: UUID, _ database: Database) throws {
        for (id, time) in try RemovedItem.latest(ItemEdit.maximumCount, kind.tableName, of: regionID, database) {
            add(ItemEdit(of: kind.resourceKind, id, named: nil, at: time))
        }
    }

    private mutating func add(_ edit: ItemEdit) {
        let index = edits.firstIndex { $0.time < edit.time } ?? edits.count
        guard index < ItemEdit.maximumCount else { return }
        edits.insert(edit, at: index)
        if edits.count > ItemEdit.maximumCount { edits.removeLast() }
    }
}
