/// The tasks that wait for a change of a link, by the kind of change.
struct WaitList: Sendable {
    /// What a task waits for.
    enum Key: Hashable, Sendable {
        /// Room to send: on a stream, in the outbox, or for one more stream.
        case room
        /// Bytes or the end of a stream.
        case stream(UInt32)
        /// Acknowledgements.
        case acknowledgement
    }

    /// Why a task continues.
    enum Wake: Sendable {
        /// Something has changed.
        case changed
        /// The task is cancelled.
        case cancelled
    }

    typealias Continuation = CheckedContinuation<Wake, Never>

    /// A task that waits.
    struct Wait {
        var continuation: Continuation
        var deadline: ContinuousClock.Instant?
    }

    private(set) var waits: [Key: [Int: Wait]] = [:]
    /// No task has an earlier deadline; nil if none has one.
    private(set) var nextDeadline: ContinuousClock.Instant?
    private var lastNumber = 0
    /// The tasks to continue once the lock is free.
    private var woken: [Continuation] = []

    /// Returns a number for a task that is about to wait.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a task, which continues at its deadline at the latest.
    mutating func add(
        _ continuation: Continuation,
        _ number: Int,
        for key: Key,
        until deadline: ContinuousClock.Instant? = nil
    ) {
        waits[key, default: [:]][number] = Wait(continuation: continuation, deadline: deadline)
        // It stays when the task continues earlier: finding the next one would take longer than a needless look.
        if let deadline { nextDeadline = min(nextDeadline ?? deadline, deadline) }
    }

    /// Removes a cancelled task; nil if it no longer waits.
    mutating func remove(_ number: Int, for key: Key) -> Continuation? {
        let removed = waits[key]?.removeValue(forKey: number)
        if waits[key]?.isEmpty == true { waits[key] = nil }
        return removed?.continuation
    }

    /// Continues the tasks whose deadline has come.
    mutating func wakeDue(at now: ContinuousClock.Instant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        for (key, waiting) in waits where waiting.values.contains(where: { $0.deadline.map { $0 <= now } ?? false }) {
            wake(key)
        }
        self.nextDeadline = waits.values.flatMap(\.values).compactMap(\.deadline).min()
    }

    /// Continues the tasks that wait for something.
    mutating func wake(_ key: Key) {
        guard !waits.isEmpty, let waiting = waits.removeValue(forKey: key) else { return }
        woken += waiting.values.map(\.continuation)
    }

    /// Continues all tasks.
    mutating func wakeAll() {
        for key in Array(waits.keys) { wake(key) }
    }

    /// Takes the tasks to continue.
    mutating func takeWoken() -> [Continuation] {
        guard !woken.isEmpty else { return [] }
        defer { woken = [] }
        return woken
    }
}
