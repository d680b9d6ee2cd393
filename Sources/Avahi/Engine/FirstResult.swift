import Dispatch
import Synchronization

/// The first of three events: an answer, a timeout, or the cancellation of the waiting task.
final class FirstResult<Answer: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Answer?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    /// Calls `ask` and waits for its answer; returns nil after `limit`, or if the task is cancelled.
    static func of(
        limit: Duration,
        evenIfCancelled: Bool,
        _ ask: (_ answer: @escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer? {
        let first = FirstResult()
        let (seconds, attoseconds) = limit.components
        let time =
            DispatchTime.now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The task may have been cancelled before there was a continuation.
                guard first.wait(continuation) else { return continuation.resume(returning: nil) }
                ask { first.end($0) }
                DispatchQueue.global().asyncAfter(deadline: time) { first.end(nil) }
            }
        } onCancel: {
            if !evenIfCancelled { first.end(nil) }
        }
    }

    private func wait(_ continuation: CheckedContinuation<Answer?, Never>) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.continuation = continuation
            return true
        }
    }

    private func end(_ answer: Answer?) {
        // Who comes first takes the continuation, and the others find none.
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume(returning: answer)
    }
}
