import FoundationEssentials
import GRDB

/// Something that belongs to a region and is merged one by one: a hike, a planned route or a waypoint.
protocol RegionItem: SharedItem, Identifiable where ID == UUID {
    /// The table of the items, whose key is the region's id and theirs.
    static var tableName: String { get }

    /// The column by which they are listed.
    static var orderColumn: String { get }

    /// How many bytes a row takes at most as JSON, as an SQL expression.
    static var wireLength: String { get }

    /// When the item was last edited; nil if it never was.
    var modifiedAt: Date? { get set }

    /// When the item was last edited, or else made.
    var effectiveDate: Date { get }

    /// Reads an item from its row.
    init(row: Row) throws

    /// Fills in the columns, all but the region's id.
    func encode(to container: inout PersistenceContainer) throws

    /// Returns the item as belonging to a region.
    func belonging(to regionID: UUID) -> Self

    /// Checks what an item of a stranger's holds beyond its JSON.
    func check() throws

    /// Returns the item with what it lacks and the local one has: words of the user's that nobody has replaced.
    func keeping(wordsOf local: Self) -> Self
}

extension RegionItem {
    func check() {}
}

/// An item in its row.
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

    /// Returns the items that can be read, in the order of ``fetchAll(of:_:)``, and what the others are called.
    static func fetchReadable(
        of regionID: UUID,
        _ database: Database
    ) throws -> (items: [Item], unreadable: [String]) {
        let rows = try filter { $0.regionID == regionID.uuidString }
            .order(Column(Item.orderColumn), Column("id"))
            .asRequest(of: Row.self)
            .fetchCursor(database)
        var items: [Item] = []
        var unreadable: [String] = []
        while let row = try rows.next() {
            do {
                items.append(try Self(row: row).item)
            } catch {
                let name: String? = row["name"] ?? row["label"]
                unreadable.append("the \(Item.noun) “\(name ?? "")”")
            }
        }
        return (items, unreadable)
    }

    static func fetchAll(of regionID: UUID, _ database: Database) throws -> [Item] {
        try filter { $0.regionID == regionID.uuidString }
            .order(Column(Item.orderColumn), Column("id"))
            .fetchAll(database)
            .map(\.item)
    }

    /// Goes through the items one after the other, in the order of ``fetchAll(of:_:)``.
    static func forEach(of regionID: UUID, _ database: Database, _ body: (Item) throws -> Void) throws {
        let records = try filter { $0.regionID == regionID.uuidString }
            .order(Column(Item.orderColumn), Column("id"))
            .fetchCursor(database)
        while let record = try records.next() { try body(record.item) }
    }

    static func fetchOne(_ id: UUID, of regionID: UUID, _ database: Database) throws -> Item? {
        // Of many items each is looked up: the statement is compiled once.
        let sql = "SELECT * FROM \(Item.tableName) WHERE regionID = ? AND id = ?"
        let statement = try database.cachedStatement(sql: sql)
        return try fetchOne(statement, arguments: [regionID.uuidString, id.uuidString])?.item
    }

    /// The highest number of a row; rows that come later have higher ones.
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
