import PeerCore

/// Runs `body` until it returns or `stop` does; cancels the other one, and waits for both.
///
/// - Parameters:
///   - body: The work.
///   - stop: Returns when `body` has to end.
///   - late: Takes what `body` returned after `stop`.
/// - Returns: What `body` returned; nil if `stop` returned first.
func stoppable<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value,
    by stop: @escaping @Sendable () async -> Void,
    late: @escaping @Sendable (Value) async -> Void = { _ in }
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await body() }
        group.addTask {
            await stop()
            return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        if let first { return first }
        // `body` may have returned at the moment at which it was stopped.
        for await case let value? in group { await late(value) }
        return nil
    }
}

extension PeerClock {
    /// Runs `body` with a time limit; throws `late` when the time is over.
    func within<Value: Sendable>(
        _ timeout: Duration,
        orThrow late: PeerError,
        _ body: @escaping @Sendable () async throws(PeerError) -> Value
    ) async throws(PeerError) -> Value {
        let end = now + timeout
        let result = await stoppable {
            await Result(of: body)
        } by: {
            try? await sleep(until: end)
        }
        // Cancelling the task wakes the timer early.
        return try (result ?? .failure(Task.isCancelled ? .taskCancelled : late)).get()
    }
}

extension Result where Success: Sendable {
    /// The result of `body`.
    init(of body: @Sendable () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
