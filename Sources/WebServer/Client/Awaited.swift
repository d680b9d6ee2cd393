import Synchronization

/// A result for which one task waits.
final class Awaited<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiting: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())

    /// Whether there is a result.
    var isSettled: Bool { state.withLock { $0.result != nil } }

    /// Sets the result; a later one is ignored.
    func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiting.take()
        }
        waiting?.resume(with: result)
    }

    /// Waits for the result.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiting = continuation }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
