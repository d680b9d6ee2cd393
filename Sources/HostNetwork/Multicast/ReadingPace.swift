/// Bounds how many packets are read, so that a flood of them costs little: while nothing is read, the system drops what is too much.
package struct ReadingPace: Sendable {
    private static let window: Duration = .milliseconds(250)
    private let maximumCount: Int
    private var start: ContinuousClock.Instant?
    private var count = 0

    /// Creates a pace.
    ///
    /// - Parameter maximumPerSecond: The maximum number of packets.
    package init(maximumPerSecond: Int) { maximumCount = max(1, maximumPerSecond / 4) }

    /// A packet was read; returns the time for which no other one is read, which is less than a second, or nil.
    package mutating func read(at now: ContinuousClock.Instant) -> Duration? {
        let past = start.map { now - $0 } ?? Self.window
        guard past < Self.window else {
            (start, count) = (now, 1)
            return nil
        }
        count += 1
        return count < maximumCount ? nil : Self.window - past
    }
}
