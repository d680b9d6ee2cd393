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

    package init() {}

    /// Gives the task its value; the first value counts.
    package func fulfil(_ value: Value) { _ = offer(value) }

    /// Gives the task its value; returns false if it has another one already.
    func offer(_ value: Value) -> Bool {
        let (continuation, isFirst) = state.withLockedValue { state -> (CheckedContinuation<Value, Never>?, Bool) in
            switch state {
            case .empty:
                state = .full(value)
                return (nil, true)
            case .waiting(let continuation):
                state = .taken
                return (continuation, true)
            case .full, .taken: return (nil, false)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value; called once.
    package func value(ifCancelled other: Value) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            fulfil(other)
        }
    }

    /// Waits for the value; called once.
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
