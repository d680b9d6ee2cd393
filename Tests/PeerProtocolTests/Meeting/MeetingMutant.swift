/// A rule that is broken on purpose, by what the driver of the exploration does, to see that the exploration notices.
enum MeetingMutant: CaseIterable, Sendable {
    /// R6: every frame seems to know all connections.
    case noConnectionCount
    /// R3: both sides decide.
    case bothDecide
    /// R3b: what would be parked is declined.
    case noParking
    /// R12: what `crossed` says is ignored.
    case noAdoption
    /// R3 and R6: what comes last counts, at both sides.
    case newestWins
    /// R8: an unknown program counts at once.
    case noTest
}
