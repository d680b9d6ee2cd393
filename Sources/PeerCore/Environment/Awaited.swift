import NIOConcurrencyHelpers

/// A value that one task waits for.
package final class Awaited<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case full(Value)
        case taken
    }

    private let state = NIOLockedValueBox(State.empty)

    /// Creates it without a value.
    package init() {}

    /// Gives the task its value; the first value counts.
    package func fulfil(_ value: Value) {
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
    package func value(ifCancelled other: Value) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            fulfil(other)
        }
    }

    /// Waits for the value; called once.
    ///
    /// - Parameters:
    ///   - other: The value if the task is cancelled, and nothing has come after a while.
    ///   - patience: How long a cancelled task still waits.
    ///   - clock: Tells the time.
    ///   - cancelled: Called when the task is cancelled.
    /// - Returns: The value.
    package func value(
        ifCancelled other: Value,
        after patience: Duration,
        by clock: any PeerClock,
        cancelled: @escaping @Sendable () -> Void = {}
    ) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            cancelled()
            guard patience > .zero else { return fulfil(other) }
            _ = clock.schedule(at: clock.now + patience) { self.fulfil(other) }
        }
    }

    /// Waits for the value, even if the task is cancelled; called once.
    func value() async -> Value {
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
    }
}
