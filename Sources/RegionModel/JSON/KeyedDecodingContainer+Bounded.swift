import FoundationEssentials

// What is read here came from a file or a peer: each value is checked before it is kept. The descriptions are
// predicates ("is not a number"), to be put behind the item and key by `ItemFault`.
extension KeyedDecodingContainer {
    func wrong(_ key: Key, _ what: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: what)
    }

    func finite(_ key: Key) throws -> Double {
        let value = try decode(Double.self, forKey: key)
        guard value.isFinite else { throw wrong(key, "is not a finite number") }
        return value
    }

    func finiteIfPresent(_ key: Key) throws -> Double? {
        guard let value = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard value.isFinite else { throw wrong(key, "is not a finite number") }
        return value
    }

    func coordinate(_ latitude: Key, _ longitude: Key) throws -> Coordinate {
        let degrees = (try finite(latitude), try finite(longitude))
        guard let coordinate = Coordinate(latitude: degrees.0, longitude: degrees.1) else {
            let wrongKey = (-90...90).contains(degrees.0) ? longitude : latitude
            throw wrong(wrongKey, "is not on Earth")
        }
        return coordinate
    }

    func text(_ key: Key, atMost limit: Int) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard text.utf8.count <= limit else { throw wrong(key, "is longer than \(limit) bytes") }
        return text.withoutZeros
    }

    func textIfPresent(_ key: Key, atMost limit: Int) throws -> String? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard text.utf8.count <= limit else { throw wrong(key, "is longer than \(limit) bytes") }
        return text.withoutZeros
    }

    func nameIfPresent(_ key: Key) throws -> String? { try textIfPresent(key, atMost: ModelLimits.maximumNameLength) }

    /// Reads a table of points; an empty one counts as none.
    func tableIfPresent(_ key: Key) throws -> Data? {
        let limit = ModelLimits.maximumTableLength / 3 * 4 + 4
        guard let base64 = try textIfPresent(key, atMost: limit) else { return nil }
        guard let table = Data(base64Encoded: base64) else { throw wrong(key, "is not base64") }
        return table.isEmpty ? nil : table
    }

    func array<Element: Decodable>(
        _ key: Key,
        of type: Element.Type = Element.self,
        atMost limit: Int
    ) throws -> [Element] {
        if let count = try nestedUnkeyedContainer(forKey: key).count, count > limit {
            throw wrong(key, "has more than \(limit) entries")
        }
        return try decode([Element].self, forKey: key)
    }

    /// Reads an array; nil if it is missing or `null`.
    func arrayIfPresent<Element: Decodable>(_ key: Key, atMost limit: Int) throws -> [Element]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try array(key, atMost: limit)
    }

    /// Reads names; none if they are missing or `null`.
    func names(_ key: Key) throws -> [String] {
        let names: [String] = try arrayIfPresent(key, atMost: CutDescription.maximumNameCount) ?? []
        guard names.allSatisfy({ $0.utf8.count <= ModelLimits.maximumNameLength }) else {
            throw wrong(key, "has a name that is too long")
        }
        return names
    }

    /// Reads ISO 8601 text with or without a fraction or offset, or a number of seconds since 2001 (what Apple's
    /// encoders write by default).
    func date(_ key: Key) throws -> Date {
        if let text = try? decode(String.self, forKey: key) {
            guard let date = Timestamp.date(parsing: text.utf8) else { throw wrong(key, "is not a date") }
            return date
        }
        let date = Date(timeIntervalSinceReferenceDate: try finite(key))
        guard Timestamp.isPlausible(date) else { throw wrong(key, "is not a date") }
        return date
    }

    func dateIfPresent(_ key: Key) throws -> Date? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try date(key)
    }
}

extension String {
    /// The text without its zero characters: SQLite's texts end at the first one.
    fileprivate var withoutZeros: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{0}" }))
    }
}

extension KeyedEncodingContainer {
    /// Writes a date as ISO 8601 in whole seconds, whatever the encoder's own strategy.
    ///
    /// A date that cannot be written is written as the nearest one that can: one wrong clock must not stop the transfer of a whole list.
    mutating func encode(date: Date, forKey key: Key) throws {
        guard let text = Timestamp.text(Timestamp.nearest(date)) else {
            throw EncodingError.invalidValue(
                date,
                .init(codingPath: codingPath + [key], debugDescription: "The date is not a number.")
            )
        }
        try encode(text, forKey: key)
    }

    mutating func encodeIfPresent(date: Date?, forKey key: Key) throws {
        if let date { try encode(date: date, forKey: key) }
    }
}
