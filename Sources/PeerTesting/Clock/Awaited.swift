import NIOConcurrencyHelpers

/// A value that one task waits for.
final class Awaited<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case full(Value)
        case taken
    }

    private let state = NIOLockedValueBox(State.empty)

    /// Gives the task its value; the first value counts.
    func fulfil(_ value: Value) {
        let continuation = state.withLockedValue { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty:
                state = .full(value)
                return nil
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .full, .taken:
                return nil
            }
        }
        continuation?.resume(returning: value)
    }

    /// Waits for the value; called once.
    ///
    /// - Parameter other: The value if the task is cancelled first.
    /// - Returns: The value.
    func value(ifCancelled other: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLockedValue { state -> Value? in
                    guard case .full(let value) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .taken
                    return value
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            fulfil(other)
        }
    }
}
