import FoundationEssentials
import GRDB

/// The row of an item.
struct RegionItemRecord<Item: RegionItem>: FetchableRecord, PersistableRecord {
    static var databaseTableName: String { Item.tableName }

    var regionID: UUID
    var item: Item

    init(regionID: UUID, item: Item) {
        self.regionID = regionID
        self.item = item.belonging(to: regionID)
    }

    init(row: Row) throws { self.init(regionID: try row.id("regionID"), item: try Item(row: row)) }

    func encode(to container: inout PersistenceContainer) throws {
        container.set("regionID", regionID)
        try item.encode(to: &container)
    }

    /// An item that is added again is no longer a removed one.
    func willInsert(_ database: Database) throws {
        try RemovedItem.forget(item.id, Item.tableName, of: regionID, database)
    }

    /// Returns the readable items, in the order of ``fetchAll(of:_:)``, and descriptions of the others.
    static func fetchReadable(
        of regionID: UUID,
        _ database: Database
    ) throws -> (items: [Item], unreadable: [String]) {
        var items: [Item] = []
        let unreadable = try forEachReadable(of: regionID, database) { items.append($0) }
        return (items, unreadable)
    }

    /// Reads the readable items one by one, in the order of ``fetchAll(of:_:)``.
    static func forEachReadable(
        of regionID: UUID,
        _ database: Database,
        _ body: (Item) throws -> Void
    ) throws -> [String] {
        var unreadable: [String] = []
        try forEachRow(of: regionID, database) { row in
            guard let record = try? Self(row: row) else {
                let name: String? = row["name"] ?? row["label"]
                unreadable.append("the \(Item.noun) “\(name ?? "")”")
                return
            }
            try body(record.item)
        }
        return unreadable
    }

    static func fetchAll(of regionID: UUID, _ database: Database) throws -> [Item] {
        var items: [Item] = []
        try forEach(of: regionID, database) { items.append($0) }
        return items
    }

    /// Reads the items one by one, in the order of ``fetchAll(of:_:)``.
    static func forEach(of regionID: UUID, _ database: Database, _ body: (Item) throws -> Void) throws {
        try forEachRow(of: regionID, database) { try body(try Self(row: $0).item) }
    }

    /// Reads the rows one by one, in their order.
    private static func forEachRow(of regionID: UUID, _ database: Database, _ body: (Row) throws -> Void) throws {
        // SQLite holds all that it sorts, and rows may be large. So it sorts only their numbers.
        let numbers = try Int64.fetchAll(
            database,
            sql: "SELECT rowid FROM \(Item.tableName) WHERE regionID = ? ORDER BY \(Item.orderColumn), id",
            arguments: [regionID.uuidString]
        )
        for number in numbers {
            let statement = try database.cachedStatement(sql: "SELECT * FROM \(Item.tableName) WHERE rowid = ?")
            let rows = try Row.fetchCursor(statement, arguments: [number])
            if let row = try rows.next() { try body(row) }
        }
    }

    static func fetchOne(_ id: UUID, of regionID: UUID, _ database: Database) throws -> Item? {
        // Each of many items is looked up, so the statement is compiled only once.
        let sql = "SELECT * FROM \(Item.tableName) WHERE regionID = ? AND id = ?"
        let statement = try database.cachedStatement(sql: sql)
        return try fetchOne(statement, arguments: [regionID.uuidString, id.uuidString])?.item
    }

    /// The highest row number.
    ///
    /// Later rows have higher numbers.
    static func lastRowID(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(rowid) FROM \(databaseTableName)") ?? 0
    }

    static func count(of regionID: UUID, _ database: Database) throws -> Int {
        try filter { $0.regionID == regionID.uuidString }.fetchCount(database)
    }

    enum Columns {
        static var regionID: Column { Column("regionID") }
        static var id: Column { Column("id") }
    }
}
