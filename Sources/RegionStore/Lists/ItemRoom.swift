import FoundationEssentials
import GRDB
import PeerProtocol
import RegionModel

/// The room that a region has for items of one kind, while those of a large file are added.
///
/// It is used up long before the last item of a file that does not fit.
struct ItemRoom<Item: RegionItem> {
    private let kind: ResourceKind
    private let sql: String
    private var count: Int
    private var length: Int64

    /// Looks at the items that a region has.
    init(in regionID: UUID, _ kind: ResourceKind, _ database: Database) throws {
        self.kind = kind
        sql = "SELECT total(\(Item.leastWireLength)) FROM \(Item.tableName) WHERE regionID = ?"
        count = try RegionItemRecord<Item>.count(of: regionID, database)
        length = Int64(try Double.fetchOne(database, sql: sql, arguments: [regionID.uuidString]) ?? 0)
    }

    /// Returns whether further items may fit, by what they have at least.
    func mayHold(_ items: [Item]) -> Bool {
        var room = self
        do {
            for item in items { try room.take(item.leastWireLength) }
            return true
        } catch {
            return false
        }
    }

    /// Notes that an item was added.
    mutating func take(_ id: UUID, of regionID: UUID, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: sql + " AND id = ?")
        try take(Int(try Double.fetchOne(statement, arguments: [regionID.uuidString, id.uuidString]) ?? 0))
    }

    /// Notes that an item is added that has so many bytes at least.
    mutating func take(_ length: Int) throws {
        self.length += Int64(length)
        count += 1
        if count > ItemCoding.maximumCount {
            throw ItemLimits.tooMany(kind, "a region has at most \(ItemCoding.maximumCount)")
        }
        if UInt64(clamping: self.length) > ItemCoding.maximumSize { throw ItemLimits.tooLarge(kind) }
    }
}
