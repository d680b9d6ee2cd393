/// Judges the clock of this machine.
extension Judgement {
    /// The greatest difference that is accepted, in seconds: a merge of regions treats edits from further in the future as errors.
    private static let tolerance: Int64 = 86_400
    /// The greatest difference between time zones and universal time, in which hardware clocks are set, in seconds.
    private static let zones: Int64 = 14 * 3600

    /// Judges the clock.
    ///
    /// Without the internet there is no reference. So the clock is compared with times that have certainly passed. Whether the clock
    /// is synchronised does not matter: at a trailhead no clock is.
    package static func clock(_ clock: ClockFacts) -> Finding {
        for (time, reference) in [(clock.store, ClockFacts.Reference.store), (clock.program, .program)] {
            guard let time, isBehind(clock.now, time) else { continue }
            return Finding(.clockBehind(days: days(clock.now, time), of: reference), .warning)
        }
        guard let hardware = clock.hardware, differs(clock.now, hardware) else { return Finding(.clock, .ok) }
        return Finding(.clockDiffers(days: days(clock.now, hardware)), .warning)
    }

    private static func isBehind(_ now: Int64, _ time: Int64) -> Bool {
        let (limit, overflow) = now.addingReportingOverflow(tolerance)
        return !overflow && time > limit
    }

    private static func differs(_ one: Int64, _ other: Int64) -> Bool {
        let (difference, overflow) = one.subtractingReportingOverflow(other)
        return overflow || difference.magnitude > UInt64(tolerance + zones)
    }

    /// The whole days between two times; nil if they are too many to count.
    private static func days(_ one: Int64, _ other: Int64) -> UInt64? {
        let (difference, overflow) = one.subtractingReportingOverflow(other)
        return overflow ? nil : difference.magnitude / 86_400
    }
}
