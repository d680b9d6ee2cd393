import FoundationEssentials

@testable import RegionStore

extension SharedJSON {
    /// Writes a whole list.
    static func encode(_ items: [some SharedItem]) throws -> Data {
        var data = Data("[".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { data.append(UInt8(ascii: ",")) }
            try write(item) { data.append($0) }
        }
        return data + Data("]".utf8)
    }

    /// Reads a JSON array of items: all of them, or none and an error that names the first wrong one.
    static func decode<Item: SharedItem>(
        _ type: Item.Type,
        from data: Data,
        maximumCount: Int = ItemCoding.maximumCount
    ) throws -> [Item] {
        var reader = ItemListReader<Item>(Array(data), maximumCount: maximumCount)
        var items: [Item] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }
}
