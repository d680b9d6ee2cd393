import NIOConcurrencyHelpers
import NIOPosix

/// Work on a thread pool whose result is needed later.
final class PooledWork<Value: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    private let state = NIOLockedValueBox(State.running)

    /// Submits work to a pool.
    init(on pool: NIOThreadPool, _ body: @escaping @Sendable () throws -> Value) {
        pool.submit { [self] poolState in
            switch poolState {
            case .active: finish(Result { try body() })
            case .cancelled: finish(.failure(CancellationError()))
            }
        }
    }

    /// Waits for the result, also in a cancelled task.
    ///
    /// Call it once.
    func result() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let finished = state.withLockedValue { state -> Result<Value, any Error>? in
                if case .finished(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let finished { continuation.resume(with: finished) }
        }
    }

    /// The result; nil while the work is running.
    var finishedResult: Result<Value, any Error>? {
        state.withLockedValue { if case .finished(let result) = $0 { result } else { nil } }
    }

    private func finish(_ result: Result<Value, any Error>) {
        let waiting = state.withLockedValue { state -> CheckedContinuation<Value, any Error>? in
            defer { state = .finished(result) }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(with: result)
    }
}
