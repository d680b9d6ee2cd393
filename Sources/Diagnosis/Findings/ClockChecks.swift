/// Judges the clock of this machine.
///
/// Without the internet there is no reference. So the clock is compared with times that have certainly passed. Whether
/// the clock is synchronised does not matter: at a trailhead no clock is.
package enum ClockChecks {
    /// The greatest difference that is accepted: a merge of regions treats edits from further in the future as errors.
    private static let tolerance: Int64 = 86_400
    /// The greatest difference between time zones and universal time, in which hardware clocks are set.
    private static let zones: Int64 = 14 * 3600

    private static let consequence =
        "Connecting does not need the right time, but if the same hike or waypoint was edited on both machines, "
        + "the wrong version may win."

    /// Judges the clock.
    package static func findings(of clock: ClockFacts) -> [Finding] {
        if let store = clock.store, isBehind(clock.now, store) {
            return [
                behind("at least \(days(clock.now, store)) behind, or was ahead when a file in the store was written")
            ]
        }
        if let program = clock.program, isBehind(clock.now, program) {
            return [behind("at least \(days(clock.now, program)) behind: the file of this program is newer")]
        }
        if let hardware = clock.hardware, differs(clock.now, hardware) {
            return [
                Finding(
                    .clockDiffers,
                    .clock,
                    .warning,
                    "The system's clock and the hardware clock differ by \(days(clock.now, hardware)), so one of them is "
                        + "wrong. \(consequence)",
                    remedy: "Compare the time with a watch. To set it:",
                    command: command
                )
            ]
        }
        return [Finding(.clock, .clock, .ok, "The clock is plausible.")]
    }

    private static let command = "sudo date -s 'YYYY-MM-DD HH:MM'"

    private static func behind(_ reason: String) -> Finding {
        Finding(
            .clockBehind,
            .clock,
            .warning,
            "The clock of this machine is \(reason). \(consequence)",
            remedy: "Set it to the time of a watch:",
            command: command
        )
    }

    private static func isBehind(_ now: Int64, _ time: Int64) -> Bool {
        let (limit, overflow) = now.addingReportingOverflow(tolerance)
        return !overflow && time > limit
    }

    private static func differs(_ one: Int64, _ other: Int64) -> Bool {
        let (difference, overflow) = one.subtractingReportingOverflow(other)
        return overflow || difference.magnitude > UInt64(tolerance + zones)
    }

    private static func days(_ one: Int64, _ other: Int64) -> String {
        let (difference, overflow) = one.subtractingReportingOverflow(other)
        let days = difference.magnitude / 86_400
        return overflow ? "many years" : days == 1 ? "1 day" : "\(days) days"
    }
}
