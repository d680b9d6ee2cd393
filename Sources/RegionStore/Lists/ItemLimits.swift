import FoundationEssentials
import GRDB
import PeerProtocol
import RegionModel

/// The limits on the content of a region.
///
/// They are the limits on sending, so everything that is imported can be sent.
enum ItemLimits {
    /// Checks that the items of a region of one kind can be sent.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are too many.
    static func check<Item: RegionItem>(
        _ type: Item.Type,
        of regionID: UUID,
        _ kind: ResourceKind,
        _ database: Database
    ) throws {
        let count = try RegionItemRecord<Item>.count(of: regionID, database)
        guard count <= ItemCoding.maximumCount else {
            throw tooMany(kind, "\(count), and a region has at most \(ItemCoding.maximumCount)")
        }
        // The maximum length of a row as JSON: every byte of a text is escaped, and every number has its full length.
        let bound = try Double.fetchOne(
            database,
            sql: "SELECT total(\(Item.wireLength)) FROM \(Item.tableName) WHERE regionID = ?",
            arguments: [regionID.uuidString]
        )
        guard bound ?? 0 > Double(ItemCoding.maximumSize) else { return }
        var writer = ItemListWriter(to: nil, atMost: ItemCoding.maximumSize)
        do {
            try RegionItemRecord<Item>.forEach(of: regionID, database) { try writer.append($0) }
            try writer.finish()
        } catch is ItemListWriter.TooLarge {
            throw tooLarge(kind)
        }
    }

    fileprivate static func tooLarge(_ kind: ResourceKind) -> RegionStoreError {
        tooMany(kind, "a region has at most \(ItemCoding.maximumSize >> 20) MiB of them")
    }

    fileprivate static func tooMany(_ kind: ResourceKind, _ why: String) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "The region would have too many \(kind.title): \(why).",
            remedy: "Select fewer of them, or split them between several regions."
        )
    }
}

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
    ///
    /// - Throws: The error of ``ItemLimits/check(_:of:_:_:)`` if that will throw one in any case.
    mutating func take(_ id: UUID, of regionID: UUID, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: sql + " AND id = ?")
        try take(Int(try Double.fetchOne(statement, arguments: [regionID.uuidString, id.uuidString]) ?? 0))
    }

    /// Notes that an item is added that has so many bytes at least.
    ///
    /// - Throws: As ``take(_:of:_:)``.
    mutating func take(_ length: Int) throws {
        self.length += Int64(length)
        count += 1
        if count > ItemCoding.maximumCount {
            throw ItemLimits.tooMany(kind, "a region has at most \(ItemCoding.maximumCount)")
        }
        if UInt64(clamping: self.length) > ItemCoding.maximumSize { throw ItemLimits.tooLarge(kind) }
    }
}
