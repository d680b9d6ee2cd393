import RegionModel

extension SharedItem {
    /// The item with everything empty that may be long.
    var withoutLargeValues: Self {
        var copy = self
        for value in Self.largeValues { value.clear(&copy) }
        return copy
    }
}

/// An element of the arrays that resources hold.
package protocol SharedItem: Codable, Sendable {
    /// What one is called in a message.
    static var noun: String { get }

    /// What several are called in a message.
    static var pluralNoun: String { get }

    /// The values that may be long, which are read and written piece by piece.
    static var largeValues: [LargeValue<Self>] { get }
}
