/// Serializes the processing of pieces from all connections of a transfer, first come, first served.
struct ReaderTurns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Takes the turn if it is free; false if it is taken.
    mutating func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Waits for a turn; to be called when it could not be taken.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    /// Passes the turn to the continuation that has waited longest.
    mutating func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
