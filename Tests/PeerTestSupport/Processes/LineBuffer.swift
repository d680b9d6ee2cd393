/// The lines of an output, kept as they come, so that any number of waiters can look for what they need.
final class LineBuffer: Sendable {
    private struct State {
        var lines: [String] = []
        var isComplete = false
        var followers: [AsyncStream<String>.Continuation] = []
    }

    private let state = Locked(State())

    /// All lines so far.
    var lines: [String] { state.withLock { $0.lines } }

    func append(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            for follower in state.followers { follower.yield(line) }
        }
    }

    func finish() {
        state.withLock { state in
            state.isComplete = true
            for follower in state.followers { follower.finish() }
            state.followers = []
        }
    }

    /// Every line from the first one on, those to come included; it ends with the output.
    func follow() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        state.withLock { state in
            for line in state.lines { continuation.yield(line) }
            if state.isComplete {
                continuation.finish()
            } else {
                state.followers.append(continuation)
            }
        }
        return stream
    }
}
