package import FoundationEssentials

/// The current time, and the latest plausible time of an edit.
package enum MergeClock {
    /// The current time.
    ///
    /// A clock that is years behind is corrected, because it cannot detect times in the future.
    package static var now: Date { max(Date(), firstRelease) }

    /// The time one day from now.
    package static var tomorrow: Date { now.addingTimeInterval(slack) }

    /// The maximum time by which a clock may be ahead, in seconds.
    package static let slack: TimeInterval = 86_400

    /// Returns the time of an edit that must win over an earlier one, even if that came from a machine whose clock is ahead.
    ///
    /// An implausible earlier time is ignored, because it never wins.
    package static func next(after latest: Date) -> Date {
        latest < tomorrow ? max(Date(), latest.addingTimeInterval(1)) : now
    }

    private static let firstRelease = Date(timeIntervalSince1970: 1_795_219_200)
}
