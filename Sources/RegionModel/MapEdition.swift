package import FoundationEssentials

/// How old a map is, as its own metadata say.
///
/// Only this type decides which of two maps is newer. Other times, such as that of an import, say nothing about the age of a map.
///
/// ```swift
/// let ours = MapEdition(date: nil, version: "1.0.0")
/// MapEdition(date: nil, version: "1.1.0").age(comparedWith: ours)  // .newer
/// MapEdition(date: nil, version: nil).age(comparedWith: ours)  // .unknown
/// ```
package struct MapEdition: Hashable, Sendable {
    /// The date of the oldest tiles; nil if the metadata have none, or one in the future.
    package var date: Date?
    /// The date of the newest tiles; nil if it is that of the oldest ones, or is not known.
    ///
    /// Only a map that was joined from maps of several dates has it.
    package var newestDate: Date?
    /// The version, as the metadata have it; nil if they have none.
    package var version: String?

    /// Creates an edition.
    package init(date: Date? = nil, newestDate: Date? = nil, version: String? = nil) {
        (self.date, self.newestDate, self.version) = (date, newestDate, version)
    }

    /// Which of two maps is newer.
    package enum Age: Hashable, Sendable {
        /// All tiles are newer than those of the other map.
        case newer
        /// All tiles are older than those of the other map.
        case older
        /// Neither is known.
        case unknown
    }

    /// Compares the map with another one: by their dates, else by their versions.
    ///
    /// Dates in the future count as none, so that a map with such a date does not prevent later updates.
    ///
    /// - Parameters:
    ///   - other: The other map.
    ///   - end: The earliest time that counts as the future.
    /// - Returns: Whether this map is newer or older than the other one, if that is known.
    package func age(comparedWith other: MapEdition, future end: Date = MergeClock.tomorrow) -> Age {
        if let ours = dates(before: end), let theirs = other.dates(before: end) {
            if ours.lowerBound > theirs.upperBound { return .newer }
            if ours.upperBound < theirs.lowerBound { return .older }
            // Some tiles may be newer, and some older.
            guard ours.lowerBound == ours.upperBound, ours == theirs else { return .unknown }
        }
        guard let ours = Self.numbers(of: version), let theirs = Self.numbers(of: other.version), ours != theirs else {
            return .unknown
        }
        return theirs.lexicographicallyPrecedes(ours) ? .newer : .older
    }

    /// The dates of the oldest and the newest tiles; nil if they are not known.
    private func dates(before end: Date) -> ClosedRange<Date>? {
        guard let date, date < end else { return nil }
        let newest = newestDate ?? date
        return newest < end ? date...max(date, newest) : nil
    }

    /// The longest version that is compared, in bytes.
    private static let longestVersion = 100

    /// Returns the numbers of a version such as `1.10.0`, without zeros at the end; nil if it has another form.
    private static func numbers(of version: String?) -> [UInt64]? {
        guard let version, version.utf8.count <= longestVersion else { return nil }
        let digits = version.first == "v" ? version.dropFirst() : version[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        var numbers = parts.compactMap { part in part.utf8.allSatisfy { (48...57).contains($0) } ? UInt64(part) : nil }
        guard numbers.count == parts.count else { return nil }
        while numbers.last == 0 { numbers.removeLast() }
        return numbers
    }
}
