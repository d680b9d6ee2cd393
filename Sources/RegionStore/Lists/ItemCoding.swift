import FoundationEssentials
import PeerProtocol
import PeerStorage
import RegionModel

/// The JSON resources: lists of hikes, planned routes or waypoints.
enum ItemCoding {
    /// The maximum size of a JSON resource, in bytes.
    static let maximumSize: UInt64 = 32 << 20

    /// The maximum number of items in a resource.
    static let maximumCount = ModelLimits.maximumItemCount

    /// Reads a received list, item by item.
    static func reader<Item: RegionItem>(
        _ type: Item.Type,
        of file: OpenFile,
        size: UInt64,
        called name: String
    ) -> ItemListReader<Item> {
        let scanner = JSONScanner(.list) { buffer, position in
            let rest = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<Int(clamping: min(UInt64(buffer.count), size - min(size, position)))]
            )
            return try RegionStoreError.mapping("read", name) { try file.read(into: rest, at: position) }
        }
        return ItemListReader(scanner, maximumCount: maximumCount)
    }

    /// Checks a received list, item by item.
    static func check<Item: RegionItem>(
        _ reader: ItemListReader<Item>,
        _ kind: ResourceKind,
        _ see: (Item) -> Void = { _ in }
    ) throws {
        var reader = reader
        var ids: Set<UUID> = []
        while let item = try reader.next() {
            guard ids.insert(item.id).inserted else {
                throw RegionStoreError(.refused, "Two of the received \(kind.title) have the same id.")
            }
            do {
                try item.check()
            } catch let error as RegionStoreError {
                throw RegionStoreError(
                    .refused,
                    "The \(ItemFault.ordinal(reader.count)) received \(Item.noun) is invalid: \(error.message)",
                    cause: error
                )
            }
            see(item)
        }
    }
}
