/// Whether the next request is handled where it is read, until its handler waits for something.
///
/// This saves a switch of tasks for handlers that are quick. A handler that works for long without waiting would delay the requests
/// behind it, so after one, the next requests get tasks of their own. A pure value.
struct HandlerPace: Sendable {
    // A switch of tasks takes a tenth of it.
    /// A handler that works for longer is slow.
    static let quickTime: Duration = .microseconds(200)
    /// How many requests get tasks of their own after a slow one.
    static let pause = 64

    private var pausedCount = 0

    /// Whether the next request is handled at once; counts it.
    mutating func runsAtOnce() -> Bool {
        guard pausedCount > 0 else { return true }
        pausedCount -= 1
        return false
    }

    /// A handler that was run at once has ended or waits.
    mutating func ran(for time: Duration) { if time > Self.quickTime { pausedCount = Self.pause } }
}
