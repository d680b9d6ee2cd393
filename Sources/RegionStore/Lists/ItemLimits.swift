import FoundationEssentials
import GRDB
import PeerProtocol
import RegionModel

/// The limits on the content of a region.
///
/// They are the limits on sending, so everything that is imported can be sent.
enum ItemLimits {
    /// Checks that the items of a region of one kind can be sent.
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

    static func tooLarge(_ kind: ResourceKind) -> RegionStoreError {
        tooMany(kind, "a region has at most \(ItemCoding.maximumSize >> 20) MiB of them")
    }

    static func tooMany(_ kind: ResourceKind, _ why: String) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "The region would have too many \(kind.title): \(why).",
            remedy: "Select fewer of them, or split them between several regions."
        )
    }
}
