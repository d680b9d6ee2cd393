package import FoundationEssentials
package import RegionModel

/// The JSON bodies of the resources that hold hikes, planned routes and waypoints: arrays of a model type.
package enum SharedJSON {
    /// Writes an item piece by piece, so that one with many points takes little memory beside itself.
    ///
    /// Keys are sorted, so that equal items give equal bytes.
    package static func write<Item: SharedItem>(_ item: Item, to write: (Data) throws -> Void) throws {
        do {
            var rest = try encoder().encode(item.withoutLargeValues)[...]
            // Within texts, quotation marks are escaped: what is found is the value. Keys are in order.
            for value in Item.largeValues.sorted(by: { $0.key < $1.key }) {
                let empty = Array("\"\(value.key)\":".utf8) + value.marks
                guard let range = rest.firstRange(of: empty) else { continue }
                let end = range.upperBound - 1
                try write(Data(rest[..<end]))
                try value.write(item, write)
                rest = rest[end...]
            }
            try write(Data(rest))
        } catch let error as EncodingError {
            throw RegionStoreError(
                .storage,
                "The list cannot be written as JSON: a value is out of range.",
                cause: error
            )
        }
    }

    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension SavedRoute: SharedItem {
    package static var noun: String { "hike" }
    package static var pluralNoun: String { "hikes" }
}

extension PlannedRoute: SharedItem {
    package static var noun: String { "planned route" }
    package static var pluralNoun: String { "planned routes" }
}

extension Waypoint: SharedItem {
    package static var noun: String { "waypoint" }
    package static var pluralNoun: String { "waypoints" }
    package static var largeValues: [LargeValue<Waypoint>] { [] }
}
