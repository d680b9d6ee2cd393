import FoundationEssentials
import RegionStore

/// The JSON resources: the first byte chooses the kind.
enum ItemsBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let control = input.first else { return }
        let data = Data(input.dropFirst())
        switch control % 3 {
        case 0: try check(SavedRoute.self, data)
        case 1: try check(PlannedRoute.self, data)
        default: try check(Waypoint.self, data)
        }
    }

    private static func check<Item: SharedItem>(_ type: Item.Type, _ data: Data) throws(BrokenInvariant) {
        guard let items = try? read(type, data) else { return }
        try require(items.count <= 1000, "more items than allowed")
        let first = try requireSuccess("\(type)s that were read cannot be written") { try write(items) }
        let again = try requireSuccess("\(type)s that were written cannot be read") {
            try read(type, first)
        }
        let second = try requireSuccess("\(type)s cannot be written twice") { try write(again) }
        try require(first == second, "\(type)s change when they are written and read twice")
    }

    private static func write(_ items: [some SharedItem]) throws -> Data {
        var data = Data("[".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { data.append(UInt8(ascii: ",")) }
            try SharedJSON.write(item) { data.append($0) }
        }
        return data + Data("]".utf8)
    }

    private static func read<Item: SharedItem>(_ type: Item.Type, _ data: Data) throws -> [Item] {
        var reader = ItemListReader<Item>(Array(data), maximumCount: 1000)
        var items: [Item] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }
}
