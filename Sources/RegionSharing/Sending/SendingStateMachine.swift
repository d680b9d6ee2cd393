import Glibc

/// When a sender ends by itself.
///
/// A pure value; the time is passed in.
struct ServingEnd: Sendable {
    /// Why it ends.
    enum Reason: Equatable, Sendable {
        /// No receiver was there for too long.
        case idle(Duration)
        /// Nothing reads its results any more.
        case unread
    }

    /// Whether the first complete transfer is the last one.
    var isAfterFirst = false
    /// The longest time without a transfer; nil for no limit.
    var patience: Duration?
    private var idleSince: ContinuousClock.Instant?

    init(isAfterFirst: Bool = false, patience: Duration? = nil) {
        self.isAfterFirst = isAfterFirst
        self.patience = patience
    }

    /// Looks at the sender; to be called every now and then.
    ///
    /// - Parameters:
    ///   - openCount: The number of open transfers; while there is one, the sender goes on.
    ///   - hasReader: Whether something may still read the results.
    ///   - now: The time.
    /// - Returns: Why the sender ends now; nil if it goes on.
    mutating func reason(openCount: Int, hasReader: Bool, at now: ContinuousClock.Instant) -> Reason? {
        guard openCount == 0 else {
            idleSince = nil
            return nil
        }
        let since = idleSince ?? now
        idleSince = since
        guard hasReader else { return .unread }
        return patience.flatMap { now - since >= $0 ? .idle($0) : nil }
    }
}

extension Screen {
    /// Whether something may still read the standard output: the reader of a pipe has not closed it.
    static var hasReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) <= 0 || output.revents & Int16(POLLERR) == 0
    }
}
