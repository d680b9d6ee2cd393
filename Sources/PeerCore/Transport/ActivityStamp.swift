import Synchronization

/// When the last byte came from the peer.
///
/// Written by the event loop, read by the session.
final class ActivityStamp: Sendable {
    /// Where frames are logged.
    let frames = FrameLog()

    private let origin = ContinuousClock.now
    private let nanoseconds = Atomic<Int64>(-1)

    func stamp() {
        let elapsed = origin.duration(to: .now).components
        nanoseconds.store(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000, ordering: .relaxed)
    }

    /// The time of the last receipt; nil if there was none.
    var last: ContinuousClock.Instant? {
        let value = nanoseconds.load(ordering: .relaxed)
        return value < 0 ? nil : origin.advanced(by: .nanoseconds(value))
    }
}
