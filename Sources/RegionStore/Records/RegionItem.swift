import FoundationEssentials
import GRDB

/// An item of a region that is merged by itself: a hike, a planned route or a waypoint.
protocol RegionItem: SharedItem, Identifiable where ID == UUID {
    /// The table of the items. Its key is the region's id and the item's id.
    static var tableName: String { get }

    /// The column by which items are sorted.
    static var orderColumn: String { get }

    /// The columns that lists of items do not show and that may be long, with the SQL literals of empty values.
    static var emptyValues: [String: String] { get }

    /// The maximum length of a row as JSON, in bytes, as an SQL expression.
    static var wireLength: String { get }

    /// A length that a row as JSON has at least, in bytes, as an SQL expression.
    static var leastWireLength: String { get }

    /// A length that the item as JSON has at least, in bytes, which takes no time to find.
    var leastWireLength: Int { get }

    /// The time of the last edit; nil if the item was never edited.
    var modifiedAt: Date? { get set }

    /// The time of the last edit, or else of the creation.
    var effectiveDate: Date { get }

    /// The name; possibly empty.
    var givenName: String { get set }

    /// The note or comment of a person; possibly empty.
    var remark: String { get }

    /// Reads an item from its row.
    init(row: Row) throws

    /// Sets all columns except the region's id.
    func encode(to container: inout PersistenceContainer) throws

    /// Returns the item as an item of a region.
    func belonging(to regionID: UUID) -> Self

    /// Checks the content of an untrusted item that decoding does not check.
    func check() throws

    /// Returns the item with values of another version that it lacks, such as a comment of the user.
    ///
    /// A version may lack what its sender did not send, or what the file that it comes from had no place for.
    func filled(from other: Self) -> Self
}

extension RegionItem {
    func check() {}
}

/// The row of an item.
struct RegionItemRecord<Item: RegionItem>: FetchableRecord, PersistableRecord {
    static var databaseTableName: String { Item.tableName }

    var regionID: UUID
    var item: Item

    init(regionID: UUID, item: Item) {
        self.regionID = regionID
        self.item = item.belonging(to: regionID)
    }

    init(row: Row) throws {
        self.init(regionID: try row.id("regionID"), item: try Item(row: row))
    }

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
    ///
    /// - Returns: Short descriptions of the others.
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
