import PeerCore

/// Runs `body` until it returns or `stop` does; cancels the other one, and waits for both.
///
/// - Returns: What `body` returned, and whether it was stopped before.
func stoppable<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value,
    by stop: @escaping @Sendable () async -> Void
) async -> (value: Value, wasStopped: Bool) {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await body() }
        group.addTask {
            await stop()
            return nil
        }
        var wasStopped = false
        while true {
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return (first, wasStopped) }
            wasStopped = true
        }
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
        let (result, isLate) = await stoppable {
            await Result(of: body)
        } by: {
            try? await sleep(until: end)
        }
        // A success at the last moment counts. Cancelling the task wakes the timer early.
        if isLate, case .failure = result { throw Task.isCancelled ? .taskCancelled : late }
        return try result.get()
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
