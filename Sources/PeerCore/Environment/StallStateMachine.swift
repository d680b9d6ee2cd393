/// Decides whether the peer of a connection has stalled: whether it leaves a frame unfinished, or does not read.
///
/// A pure value; the time is passed in.
struct StallStateMachine: Sendable {
    private let stallTimeout: Duration
    private let silenceTimeout: Duration
    /// Whether an input is being handled; the peer may wait for this side then.
    private var isHandling = false
    private var lastHandling: ContinuousClock.Instant
    /// The number of writes that the system has not taken.
    private var unwrittenCount = 0
    private var lastWriteProgress: ContinuousClock.Instant
    private var arrivedCount: UInt64?
    private var isKeepAliveUnwritten = false

    init(stallTimeout: Duration, silenceTimeout: Duration, at now: ContinuousClock.Instant) {
        self.stallTimeout = stallTimeout
        self.silenceTimeout = silenceTimeout
        self.lastHandling = now
        self.lastWriteProgress = now
    }

    /// An input has come, and is handled until ``handled(at:)``.
    mutating func received() { isHandling = true }

    /// The input that came last is handled.
    mutating func handled(at now: ContinuousClock.Instant) {
        isHandling = false
        lastHandling = now
    }

    // MARK: Writing

    /// Something is about to be written.
    mutating func writes(at now: ContinuousClock.Instant) {
        if unwrittenCount == 0 { lastWriteProgress = now }
        unwrittenCount += 1
    }

    /// The system has taken something, or the connection is closed.
    mutating func written(at now: ContinuousClock.Instant) {
        unwrittenCount = max(0, unwrittenCount - 1)
        lastWriteProgress = now
    }

    /// Whether something waits for the system.
    var isWriting: Bool { unwrittenCount > 0 }

    /// A sign of life is due; returns false if the last ping has not left, because the peer does not read.
    mutating func keepAliveIsDue() -> Bool {
        defer { isKeepAliveUnwritten = true }
        return !isKeepAliveUnwritten
    }

    /// The system has taken the last ping.
    mutating func keepAliveWritten() { isKeepAliveUnwritten = false }

    /// Time has passed; returns whether to close the connection, because its peer has stalled.
    ///
    /// `arrived` is the number of bytes that have arrived at the peer; nil if it is not known, or if nothing waits.
    mutating func tick(
        at now: ContinuousClock.Instant,
        unfinishedSince unfinished: ContinuousClock.Instant?,
        arrived: UInt64? = nil
    ) -> Bool {
        if isHandling { lastHandling = now }
        if let unfinished, now - max(unfinished, lastHandling) >= stallTimeout { return true }
        if let arrived, arrived != arrivedCount {
            arrivedCount = arrived
            lastWriteProgress = now
        }
        // Without the number, a part of what waits may arrive all the time.
        let limit = arrived == nil ? max(stallTimeout, silenceTimeout) : silenceTimeout
        return isWriting && now - lastWriteProgress >= limit
    }
}
