package import FoundationEssentials
import PeerCore

/// The JSON bodies of the resources that hold hikes, planned routes and waypoints: arrays of a model type.
package enum SharedJSON {
    /// The most bytes of a body.
    package static let maximumLength = 64 << 20

    /// The most items of a body.
    package static let maximumCount = 100_000

    /// Writes items as a JSON array, keys sorted, so that equal items give equal bytes.
    package static func encode(_ items: [some SharedItem]) throws(RegionStoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(items)
        } catch {
            throw RegionStoreError(
                .storage,
                "The list cannot be written as JSON: a value is out of range.",
                cause: error
            )
        }
    }

    /// Reads a JSON array of items: all of them, or none and an error that names the first wrong one.
    ///
    /// Errors have the code `refused`.
    package static func decode<Item: SharedItem>(
        _ type: Item.Type,
        from data: Data,
        maximumLength: Int = SharedJSON.maximumLength,
        maximumCount: Int = SharedJSON.maximumCount
    ) throws(RegionStoreError) -> [Item] {
        guard data.count <= maximumLength else {
            throw RegionStoreError(
                .refused,
                "The list of \(Item.pluralNoun) is larger than the \(maximumLength) bytes that are taken."
            )
        }
        do {
            try ControlJSON.checkKeys(of: data)
            return try JSONDecoder().decode(BoundedArray<Item>.self, from: data, configuration: maximumCount).items
        } catch {
            throw RegionStoreError(
                .refused,
                message(for: error, noun: Item.noun, pluralNoun: Item.pluralNoun),
                cause: error
            )
        }
    }

    private static func message(for error: any Error, noun: String, pluralNoun: String) -> String {
        guard let error = error as? DecodingError else { return "The list of \(pluralNoun) cannot be read." }
        switch error {
        case .keyNotFound(let key, let context):
            return subject(context.codingPath, noun, pluralNoun) + " has no \(name(key))."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return subject(context.codingPath, noun, pluralNoun) + " has a value of the wrong kind"
                + place(context.codingPath) + "."
        case .dataCorrupted(let context):
            if context.codingPath.isEmpty { return "The list of \(pluralNoun) is not valid JSON." }
            let what = context.debugDescription.hasPrefix("is ") || context.debugDescription.hasPrefix("has ")
            guard what, let key = context.codingPath.last(where: { $0.intValue == nil }) else {
                return subject(context.codingPath, noun, pluralNoun) + " has a value that cannot be read"
                    + place(context.codingPath) + "."
            }
            return subject(context.codingPath, noun, pluralNoun) + " is wrong: its \(name(key)) "
                + "\(context.debugDescription)."
        @unknown default:
            return "The list of \(pluralNoun) cannot be read."
        }
    }

    private static func subject(_ path: [any CodingKey], _ noun: String, _ pluralNoun: String) -> String {
        guard let index = path.first?.intValue else { return "The list of \(pluralNoun)" }
        return "The \(ordinal(index + 1)) \(noun)"
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.last(where: { $0.intValue == nil }).map { " (\(name($0)))" } ?? ""
    }

    // Keys are ours, never the peer's: only known ones are asked for.
    private static func name(_ key: any CodingKey) -> String { key.stringValue }

    private static func ordinal(_ number: Int) -> String {
        switch (number % 10, number % 100) {
        case (_, 11...13): "\(number)th"
        case (1, _): "\(number)st"
        case (2, _): "\(number)nd"
        case (3, _): "\(number)rd"
        default: "\(number)th"
        }
    }
}

/// An array that is not read past a number of items.
private struct BoundedArray<Item: SharedItem>: DecodableWithConfiguration {
    var items: [Item] = []

    init(from decoder: any Decoder, configuration maximumCount: Int) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            guard items.count < maximumCount else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "has too many items")
            }
            items.append(try container.decode(Item.self))
        }
    }
}
