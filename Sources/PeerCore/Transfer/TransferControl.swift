import NIOConcurrencyHelpers

/// Stops transfers, and sends the reason to the other side.
///
/// Cancelling the task that runs a transfer stops the transfer too, but the reason may not reach the other side.
///
/// ```swift
/// let control = TransferControl()
/// control.cancel(reason: "The battery is low.")
/// return control
/// ```
public final class TransferControl: Sendable {
    /// Called with the cancellation, or with nil if the waiting task was cancelled.
    private typealias Handler = @Sendable (Cancellation?) -> Void

    private struct State {
        var cancellation: Cancellation?
        var waiting: [Int: Handler] = [:]
        /// The number of open transfers with this control.
        var openCount = 0
        var transfers: [Int: (transfer: Int, handler: @Sendable (Cancellation) -> Void)] = [:]
        var nextID = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a control.
    public init() {}

    /// Stops every transfer with this control, now and in the future.
    ///
    /// - Parameter reason: The reason, for the person on the other side.
    public func cancel(reason: String) {
        let cancellation = Cancellation(reason: reason)
        let waiting = state.withLockedValue { state in
            guard state.cancellation == nil else { return [Handler]() }
            state.cancellation = cancellation
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for handler in waiting { handler(cancellation) }
    }

    /// Stops one transfer of a sender with this control.
    ///
    /// The sender continues to serve other peers.
    ///
    /// - Parameters:
    ///   - transfer: The number of the transfer, as in ``TransferUpdate/transfer``.
    ///   - reason: The reason, for the person on the other side.
    /// - Returns: Whether the transfer exists.
    @discardableResult
    public func cancel(transfer: Int, reason: String) -> Bool {
        let stopped = state.withLockedValue { $0.transfers.values.filter { $0.transfer == transfer } }
        for (_, handler) in stopped { handler(Cancellation(reason: reason)) }
        return !stopped.isEmpty
    }

    /// Whether ``cancel(reason:)`` was called.
    package var isCancelled: Bool { state.withLockedValue { $0.cancellation != nil } }

    /// The number of open transfers with this control.
    ///
    /// The transfer of a receiver is open until its connection is closed, that of a sender until its end is reported.
    package var openTransferCount: Int { state.withLockedValue { $0.openCount } }

    /// Counts a transfer as open until ``transferClosed()``.
    func transferOpened() { state.withLockedValue { $0.openCount += 1 } }

    /// Counts a transfer as closed.
    func transferClosed() { state.withLockedValue { $0.openCount -= 1 } }

    /// Waits for ``cancel(reason:)``; nil if the waiting task was cancelled first.
    package func cancellation() async -> Cancellation? {
        let id = nextID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                tell(id) { continuation.resume(returning: $0) }
                // A task that was cancelled earlier does not get the cancellation below.
                if Task.isCancelled { forget(id)?(nil) }
            }
        } onCancel: {
            forget(id)?(nil)
        }
    }

    /// Runs `body` until it ends, or until ``cancel(reason:)`` is called, which cancels it.
    package func untilCancelled<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                _ = await self.cancellation()
                return nil
            }
            // The first to end cancels the other. A result of `body` counts even if it comes second.
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            do {
                if let result = try await group.next() ?? nil { return result }
            } catch is CancellationError {}
            throw PeerError(.cancelled, "The transfer was stopped.")
        }
    }

    /// Calls `handler` when ``cancel(reason:)`` is called while `body` runs, or immediately if it was called before.
    func onCancel<Result>(
        _ handler: @escaping @Sendable (Cancellation) -> Void,
        during body: () async throws -> Result
    ) async rethrows -> Result {
        let id = nextID()
        tell(id) { if let cancellation = $0 { handler(cancellation) } }
        defer { _ = forget(id) }
        return try await body()
    }

    /// Calls `handler` each time that ``cancel(transfer:reason:)`` is called for this transfer while `body` runs.
    func onCancel<Result>(
        of transfer: Int,
        _ handler: @escaping @Sendable (Cancellation) -> Void,
        during body: () async throws -> Result
    ) async rethrows -> Result {
        let id = nextID()
        state.withLockedValue { $0.transfers[id] = (transfer, handler) }
        defer { state.withLockedValue { $0.transfers[id] = nil } }
        return try await body()
    }

    private func nextID() -> Int {
        state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
    }

    /// Calls `handler` once there is a cancellation.
    private func tell(_ id: Int, _ handler: @escaping Handler) {
        let cancellation = state.withLockedValue { state in
            if state.cancellation == nil { state.waiting[id] = handler }
            return state.cancellation
        }
        if let cancellation { handler(cancellation) }
    }

    private func forget(_ id: Int) -> Handler? {
        state.withLockedValue { $0.waiting.removeValue(forKey: id) }
    }
}
