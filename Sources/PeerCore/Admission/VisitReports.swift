/// Which sessions that came to nothing are reported: of each sort only so many in a minute, so that none hides another.
///
/// A pure value; the time is passed in.
struct VisitReports: Sendable {
    /// How far a session came that was not accepted.
    enum Visit: Hashable, Sendable {
        /// Nobody was asked about it.
        case unasked
        /// A person was asked about it.
        case asked
        /// It was refused for the peer that it claimed to be.
        case impostor

        /// How many are reported in ``VisitReports/window``.
        var maximumReports: Int { self == .asked ? 30 : 10 }
    }

    /// How long a report counts.
    static let window: Duration = .seconds(60)

    private var times: [Visit: [ContinuousClock.Instant]] = [:]

    /// Whether a session that has ended is to be reported; it counts if it is.
    mutating func mayReport(_ visit: Visit, at now: ContinuousClock.Instant) -> Bool {
        let recent = (times[visit] ?? []).filter { now - $0 < Self.window }
        guard recent.count < visit.maximumReports else {
            times[visit] = recent
            return false
        }
        times[visit] = recent + [now]
        return true
    }
}
