import FoundationEssentials

extension MapEdition {
    /// The age in words: `2026-06-01`, `2020-01-01 to 2026-06-01`, or `version 1.0.0`; nil if the map states neither a usable date
    /// nor a version that is made of numbers.
    package var words: String? { dates(before: MergeClock.tomorrow).map { Self.words($0) } ?? versionWords }

    /// The ages of the map and of the one in the store, as far as they were compared: `2020-01-01, yours 2026-06-01`.
    package func words(comparedWith local: MapEdition) -> String {
        if let theirs = dates(before: MergeClock.tomorrow), let ours = local.dates(before: MergeClock.tomorrow),
            ours != theirs
        {
            // Of the same day, the times differ.
            let isDay = Self.words(theirs) != Self.words(ours)
            return "\(Self.words(theirs, isDay: isDay)), yours \(Self.words(ours, isDay: isDay))"
        }
        if let theirs = versionWords, let ours = local.versionWords, ours != theirs {
            return "\(theirs), yours \(ours)"
        }
        return switch (words, local.words) {
        case (let theirs?, let ours?): "\(theirs), yours \(ours)"
        case (let theirs?, nil): "\(theirs), yours states no date"
        case (nil, let ours?): "it states no date, yours \(ours)"
        case (nil, nil): "neither states a date"
        }
    }

    /// A version with other words could pass for a message of the program.
    private var versionWords: String? { Self.numbers(of: version).flatMap { _ in version.map { "version \($0)" } } }

    private static func words(_ dates: ClosedRange<Date>, isDay: Bool = true) -> String {
        let words = [dates.lowerBound, dates.upperBound].map { date in
            // Most maps state a day and no time, so the day is the same in all time zones.
            let text = Timestamp.text(date) ?? ""
            return isDay ? String(text.prefix { $0 != "T" }) : text
        }
        return words[0] == words[1] ? words[0] : words.joined(separator: " to ")
    }
}
