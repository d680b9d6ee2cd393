/// Lets the connections of a session work on one part at a time, in the order in which they come.
struct ReaderTurns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Takes the turn if nobody has it; false if somebody does.
    mutating func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Waits for a turn; to be called when it could not be taken.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    /// Gives the turn to whoever has waited longest.
    mutating func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
