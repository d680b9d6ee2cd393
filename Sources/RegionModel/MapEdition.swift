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
    /// The date of the newest tiles, if the map was joined from maps of several dates; otherwise nil.
    package var newestDate: Date?
    /// The version, as the metadata have it; nil if they have none, or one with control characters or more than
    /// ``maximumVersionLength`` bytes.
    package let version: String?

    /// The maximum length of a version, in bytes of UTF-8.
    package static let maximumVersionLength = 100

    package init(date: Date? = nil, newestDate: Date? = nil, version: String? = nil) {
        (self.date, self.newestDate) = (date, newestDate)
        self.version = version.flatMap { text in
            let isLine = text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
            return isLine && (1...Self.maximumVersionLength).contains(text.utf8.count) ? text : nil
        }
    }

    /// Which of two maps is newer.
    package enum Age: String, Hashable, Sendable {
        /// Some tiles are newer than all of the other map, and none is older than one of it.
        case newer
        /// Both have the same date, and no version says more.
        case same
        /// Some tiles are older than all of the other map, and none is newer than one of it.
        case older
        /// None of these, or not known.
        case unknown
    }

    /// Compares the map with another one: by their dates, else by their versions.
    ///
    /// Dates in the future count as none, so that a map with such a date does not prevent later updates.
    package func age(comparedWith other: MapEdition, future end: Date = MergeClock.tomorrow) -> Age {
        var withoutVersions = Age.unknown
        if let ours = dates(before: end), let theirs = other.dates(before: end) {
            if ours != theirs || ours.lowerBound < ours.upperBound {
                if ours.lowerBound >= theirs.upperBound { return .newer }
                // Else some tiles may be newer, and some older.
                return ours.upperBound <= theirs.lowerBound ? .older : .unknown
            }
            withoutVersions = .same
        }
        guard let ours = Self.numbers(of: version), let theirs = Self.numbers(of: other.version), ours != theirs else {
            return withoutVersions
        }
        return theirs.lexicographicallyPrecedes(ours) ? .newer : .older
    }

    /// Returns whether a map has the edition that was claimed for it.
    ///
    /// The map must not count as newer than `local`, or as equally old, for a reason that was not claimed.
    package func isTrue(
        of map: MapEdition,
        comparedWith local: MapEdition?,
        future end: Date = MergeClock.tomorrow
    ) -> Bool {
        func usable(_ date: Date?) -> Date? { date.flatMap { Self.second(of: $0, before: end) } }
        guard date == nil || usable(date) == usable(map.date),
            newestDate == nil || usable(newestDate) == usable(map.newestDate ?? map.date),
            version == nil || version == map.version
        else { return false }
        guard let local else { return true }
        let (claimed, actual) = (age(comparedWith: local, future: end), map.age(comparedWith: local, future: end))
        // An older version of the program states no version of the map, by which it may be newer.
        return [.older, .unknown].contains(claimed) || claimed == actual || claimed == .same && actual == .newer
    }

    /// The dates of the oldest and the newest tiles; nil if they are not known.
    func dates(before end: Date) -> ClosedRange<Date>? {
        guard let date, let oldest = Self.second(of: date, before: end) else { return nil }
        guard let newestDate else { return oldest...oldest }
        return Self.second(of: newestDate, before: end).map { oldest...max(oldest, $0) }
    }

    /// A date in whole seconds, as it is sent; nil in the future.
    private static func second(of date: Date, before end: Date) -> Date? {
        date < end ? Date(timeIntervalSince1970: MergeClock.seconds(date)) : nil
    }

    /// Returns the numbers of a version such as `1.10.0`, without zeros at the end; nil if it has another form.
    static func numbers(of version: String?) -> [UInt64]? {
        guard let version else { return nil }
        let digits = version.first == "v" ? version.dropFirst() : version[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        var numbers = parts.compactMap { part in part.utf8.allSatisfy { (48...57).contains($0) } ? UInt64(part) : nil }
        guard numbers.count == parts.count else { return nil }
        while numbers.last == 0 { numbers.removeLast() }
        return numbers
    }
}
