import NIOCore

/// The time that a client has left for content that is taken as it comes.
///
/// Bytes earn time, but never more than a client may be silent. So a client may pause, and one that sends single bytes gets no more
/// than this time in all. Time counts only while the server waits for bytes.
struct StreamClock: Hashable, Sendable {
    /// The minimum rate at which content must arrive, in bytes per second.
    let rate: Int
    /// The most that a client may have, in nanoseconds.
    let maximum: Int64
    /// What it has left, in nanoseconds.
    private(set) var left: Int64

    init(_ maximum: Duration, rate: Int) {
        self.rate = rate
        self.maximum = TimeAmount(maximum).nanoseconds
        left = self.maximum
    }

    /// Notes that the server has waited for bytes, in nanoseconds.
    mutating func waited(_ time: Int64) {
        left = left.subtractingReportingOverflow(max(0, time)).partialValue
    }

    /// Notes that bytes have arrived.
    mutating func arrived(_ count: Int) {
        let (product, isTooMuch) = Int64(count).multipliedReportingOverflow(by: 1_000_000_000)
        let earned = isTooMuch ? maximum : product / Int64(max(1, rate))
        left = min(maximum, left.addingReportingOverflow(min(earned, maximum)).partialValue)
    }
}
