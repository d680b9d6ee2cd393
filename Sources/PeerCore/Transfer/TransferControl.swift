import NIOConcurrencyHelpers

/// A person's way to stop transfers, so that the other side is told why.
///
/// To cancel the task that runs a transfer ends it as well; the other side is told if there is still time for it.
public final class TransferControl: Sendable {
    /// Told of the cancellation; of nil if it is not waited for any more.
    private typealias Handler = @Sendable (Cancellation?) -> Void

    private struct State {
        var cancellation: Cancellation?
        var waiting: [Int: Handler] = [:]
        /// How many sessions that have this control are open.
        var openCount = 0
        var sessions: [Int: (session: Int, handler: @Sendable (Cancellation) -> Void)] = [:]
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
            guard state.cancellation == nil else { return [Handler]() }
            state.cancellation = cancellation
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for handler in waiting { handler(cancellation) }
    }

    /// Stops one session of a sender that has this control; the others go on, and new ones are served.
    ///
    /// - Parameters:
    ///   - session: The session's number, as in ``TransferUpdate/session``.
    ///   - reason: Why, for the person at the other side.
    /// - Returns: Whether there is such a session.
    @discardableResult
    public func cancel(session: Int, reason: String) -> Bool {
        let stopped = state.withLockedValue { $0.sessions.values.filter { $0.session == session } }
        for (_, handler) in stopped { handler(Cancellation(reason: reason)) }
        return !stopped.isEmpty
    }

    /// Whether ``cancel(reason:)`` was called.
    package var isCancelled: Bool {
        state.withLockedValue { $0.cancellation != nil }
    }

    /// Whether a session that has this control is open: a receiver's until its connection is closed, a sender's until its
    /// end is reported.
    package var hasOpenSessions: Bool {
        state.withLockedValue { $0.openCount > 0 }
    }

    /// Counts a session as open until ``sessionClosed()``.
    func sessionOpened() {
        state.withLockedValue { $0.openCount += 1 }
    }

    /// Ends what ``sessionOpened()`` began.
    func sessionClosed() {
        state.withLockedValue { $0.openCount -= 1 }
    }

    /// Waits for ``cancel(reason:)``; nil if the waiting task was cancelled first.
    package func cancellation() async -> Cancellation? {
        let id = nextID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                tell(id) { continuation.resume(returning: $0) }
                // Whoever was cancelled before does not hear of it below.
                if Task.isCancelled { forget(id)?(nil) }
            }
        } onCancel: {
            forget(id)?(nil)
        }
    }

    /// Runs `body` until it ends, or until ``cancel(reason:)`` is called, which cancels it.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/cancelled`` if it was cancelled; what `body` throws.
    package func untilCancelled<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                _ = await self.cancellation()
                return nil
            }
            // Whatever comes first ends the other; a result that comes second still counts.
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            do {
                if let result = try await group.next() ?? nil { return result }
            } catch is CancellationError {}
            throw PeerError(.cancelled, "The transfer was stopped.")
        }
    }

    /// Calls `handler` at once when ``cancel(reason:)`` is called while `body` runs, or if it was called before.
    func onCancel<Result>(
        _ handler: @escaping @Sendable (Cancellation) -> Void,
        during body: () async throws -> Result
    ) async rethrows -> Result {
        let id = nextID()
        tell(id) { if let cancellation = $0 { handler(cancellation) } }
        defer { _ = forget(id) }
        return try await body()
    }

    /// Calls `handler` whenever ``cancel(session:reason:)`` is called with this session while `body` runs.
    func onCancel<Result>(
        of session: Int,
        _ handler: @escaping @Sendable (Cancellation) -> Void,
        during body: () async throws -> Result
    ) async rethrows -> Result {
        let id = nextID()
        state.withLockedValue { $0.sessions[id] = (session, handler) }
        defer { state.withLockedValue { $0.sessions[id] = nil } }
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
