/// How much may arrive on a stream.
///
/// The limit counts all bytes of the stream, so a credit may be lost or repeated. It never falls.
struct StreamWindow: Sendable {
    let firstLength: Int
    /// How much may arrive beyond what was read; 0 if nothing more arrives.
    private(set) var length: Int
    private(set) var limit: UInt64
    /// The last limit that the other side was told.
    private var toldLimit: UInt64
    /// Since when reading is measured, and how much was read.
    private var round: (start: ContinuousClock.Instant, readLength: Int)?

    init(_ length: Int) {
        self.firstLength = length
        self.length = length
        self.limit = UInt64(clamping: length)
        self.toldLimit = limit
    }

    /// Whether the other side does not know the limit yet.
    var hasNews: Bool { limit > toldLimit }

    /// Whether the limit was ever raised.
    var wasRaised: Bool { limit > UInt64(clamping: firstLength) }

    /// Whether the other side should be told the limit at once: it has risen by half of the window, or by this length.
    func isUrgent(_ length: Int) -> Bool {
        hasNews && limit - toldLimit >= UInt64(clamping: min(length, max(1, self.length / 2)))
    }

    mutating func noteReading(upTo read: UInt64) { limit = max(limit, read + UInt64(clamping: length)) }

    /// Whether more than half of the window was read within a round trip.
    mutating func isTooSmall(
        afterReading count: Int,
        at now: ContinuousClock.Instant,
        roundTrip: Duration
    ) -> Bool {
        if let round, now - round.start <= roundTrip {
            self.round = (round.start, round.readLength + count)
        } else {
            round = (now, count)
        }
        return (round?.readLength ?? 0) > length / 2
    }

    mutating func grow(by more: Int, afterReading read: UInt64) {
        length += more
        round = nil
        noteReading(upTo: read)
    }

    mutating func close() { length = 0 }

    mutating func told() { toldLimit = limit }
}
