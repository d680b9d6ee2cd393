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

    private(set) var waits: [Key: [Int: Continuation]] = [:]
    private var lastNumber = 0
    /// The tasks to continue once the lock is free.
    private var woken: [Continuation] = []

    /// Returns a number for a task that is about to wait.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a task.
    mutating func add(_ continuation: Continuation, _ number: Int, for key: Key) {
        waits[key, default: [:]][number] = continuation
    }

    /// Removes a cancelled task; nil if it no longer waits.
    mutating func remove(_ number: Int, for key: Key) -> Continuation? {
        waits[key]?.removeValue(forKey: number)
    }

    /// Continues the tasks that wait for something.
    mutating func wake(_ key: Key) {
        guard let waiting = waits.removeValue(forKey: key) else { return }
        woken += waiting.values
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
