/// How often the list of phones is told: whoever changes a name again and again must not have it drawn each time.
struct ListPace: Sendable {
    /// The shortest time between two lists.
    private static let interval: Duration = .milliseconds(250)

    private var last: ContinuousClock.Instant?

    /// Returns whether a list that is new may be told now.
    func admits(at now: ContinuousClock.Instant) -> Bool { last.map { now - $0 >= Self.interval } ?? true }

    /// A list was told.
    mutating func told(at now: ContinuousClock.Instant) { last = now }
}
