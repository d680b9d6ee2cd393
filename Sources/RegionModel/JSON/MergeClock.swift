package import FoundationEssentials

/// The current time, and the latest plausible time of an edit.
package enum MergeClock {
    /// The current time; a clock that is years behind is corrected, because it cannot detect times in the future.
    package static var now: Date { max(Date(), firstRelease) }

    /// The time one day from now.
    package static var tomorrow: Date { now.addingTimeInterval(slack) }

    /// The maximum time by which a clock may be ahead, in seconds.
    package static let slack: TimeInterval = 86_400

    /// Returns the time of an edit that must win over an earlier one, even one from a machine whose clock is ahead.
    package static func next(after latest: Date) -> Date {
        latest < tomorrow ? max(Date(), latest.addingTimeInterval(1)) : now
    }

    /// Returns whether an incoming version of an item replaces the local one.
    ///
    /// Times are compared in whole seconds, as they are stored and sent. An implausible incoming time never wins, and an
    /// implausible local one always loses.
    package static func isNewer(_ incoming: Date, than local: Date) -> Bool {
        guard incoming <= tomorrow else { return false }
        return local > tomorrow || seconds(incoming) > seconds(local)
    }

    /// Returns the whole seconds of a time.
    package static func seconds(_ date: Date) -> Double { date.timeIntervalSince1970.rounded(.down) }

    private static let firstRelease = Date(timeIntervalSince1970: 1_795_219_200)
}
