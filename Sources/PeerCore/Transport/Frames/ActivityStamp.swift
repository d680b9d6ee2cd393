import Synchronization

/// When the last byte came from the peer, and since when it owes the rest of a frame.
///
/// Written by the event loop, read by the session.
final class ActivityStamp: Sendable {
    private static let never: Int64 = -1

    /// Where frames are logged.
    let frames = FrameLog()

    private let origin = ContinuousClock.now
    private let lastReceipt = Atomic(never)
    private let unfinished = Atomic(never)

    /// Bytes came.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - unfinished: Since when the rest of a frame is awaited; nil if no frame is unfinished.
    func stamp(at now: ContinuousClock.Instant, unfinishedSince unfinished: ContinuousClock.Instant?) {
        lastReceipt.store(nanoseconds(now), ordering: .relaxed)
        self.unfinished.store(unfinished.map(nanoseconds) ?? Self.never, ordering: .relaxed)
    }

    /// The time of the last receipt; nil if there was none.
    var last: ContinuousClock.Instant? { instant(lastReceipt.load(ordering: .relaxed)) }

    /// Since when less than ``BulkPace/leastBytes`` have come of a frame that is not whole; nil if there is none.
    var unfinishedSince: ContinuousClock.Instant? { instant(unfinished.load(ordering: .relaxed)) }

    private func nanoseconds(_ time: ContinuousClock.Instant) -> Int64 {
        let elapsed = origin.duration(to: time).components
        return elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
    }

    private func instant(_ nanoseconds: Int64) -> ContinuousClock.Instant? {
        nanoseconds < 0 ? nil : origin.advanced(by: .nanoseconds(nanoseconds))
    }
}
