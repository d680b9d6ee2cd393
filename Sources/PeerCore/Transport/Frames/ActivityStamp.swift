import Synchronization

/// The time of the last received byte, and the time since which a frame is incomplete.
///
/// The event loop writes the times, and the driver reads them.
final class ActivityStamp: Sendable {
    private static let never: Int64 = -1

    /// The log of frames.
    let frames = FrameLog()

    private let origin = ContinuousClock.now
    private let heard = Atomic(false)
    private let lastReceipt = Atomic(never)
    private let unfinished = Atomic(never)

    /// Whether any byte has come on a connection that this side has opened, those of TLS included.
    var hasHeard: Bool { heard.load(ordering: .relaxed) }

    /// Notes the first byte.
    func hear() { heard.store(true, ordering: .relaxed) }

    /// Notes received bytes.
    func stamp(at now: ContinuousClock.Instant, unfinishedSince unfinished: ContinuousClock.Instant?) {
        lastReceipt.store(nanoseconds(now), ordering: .relaxed)
        self.unfinished.store(unfinished.map(nanoseconds) ?? Self.never, ordering: .relaxed)
    }

    /// The time of the last receipt; nil if there was none.
    var last: ContinuousClock.Instant? { instant(lastReceipt.load(ordering: .relaxed)) }

    /// The time since which a frame has made no progress; nil if no frame is incomplete.
    var unfinishedSince: ContinuousClock.Instant? { instant(unfinished.load(ordering: .relaxed)) }

    private func nanoseconds(_ time: ContinuousClock.Instant) -> Int64 {
        let elapsed = origin.duration(to: time).components
        return elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
    }

    private func instant(_ nanoseconds: Int64) -> ContinuousClock.Instant? {
        nanoseconds < 0 ? nil : origin.advanced(by: .nanoseconds(nanoseconds))
    }
}
