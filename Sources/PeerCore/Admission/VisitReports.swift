/// Limits the reports of connections that were not accepted, separately for each kind, so that none hides another.
///
/// A pure value; the time is passed in.
package struct VisitReports: Sendable {
    /// How far a connection came that was not accepted.
    package enum Visit: Hashable, Sendable {
        /// No person was asked about it.
        case unasked
        /// A person was asked about it.
        case asked
        /// It was refused because its peer used the name of a trusted peer.
        case impostor

        /// The number of reports in one ``VisitReports/window``.
        var maximumReports: Int { self == .asked ? 30 : 10 }
    }

    /// How long a report counts.
    static let window: Duration = .seconds(60)

    private var times: [Visit: [ContinuousClock.Instant]] = [:]

    /// Whether to report a connection that has ended; a report counts against the limit.
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
