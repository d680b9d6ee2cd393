import NIOConcurrencyHelpers

/// A person's way to stop transfers, so that the other side is told why.
///
/// To cancel the task that runs a transfer ends it as well; the other side is told if there is still time for it.
public final class TransferControl: Sendable {
    private struct State {
        var cancellation: Cancellation?
        var waiting: [Int: CheckedContinuation<Cancellation?, Never>] = [:]
        var nextID = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a control that has stopped nothing yet.
    public init() {}

    /// Stops every transfer that has this control, now and in the future.
    ///
    /// - Parameter reason: Why, for the person at the other side.
    public func cancel(reason: String) {
        let cancellation = Cancellation(reason: reason)
        let waiting = state.withLockedValue { state in
            guard state.cancellation == nil else { return [CheckedContinuation<Cancellation?, Never>]() }
            state.cancellation = cancellation
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: cancellation) }
    }

    /// Whether ``cancel(reason:)`` was called.
    public var isCancelled: Bool {
        state.withLockedValue { $0.cancellation != nil }
    }

    /// Waits for ``cancel(reason:)``; nil if the waiting task was cancelled first.
    package func cancellation() async -> Cancellation? {
        let id = state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumeNow: Cancellation?? = state.withLockedValue { state in
                    if let cancellation = state.cancellation { return .some(cancellation) }
                    if Task.isCancelled { return .some(nil) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let resumeNow { continuation.resume(returning: resumeNow) }
            }
        } onCancel: {
            state.withLockedValue { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}
