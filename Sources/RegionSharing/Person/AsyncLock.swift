import Synchronization

/// A lock for tasks, which get it in the order in which they asked for it.
package final class AsyncLock: Sendable {
    private struct Waiting {
        var id: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isTaken = false
        var nextID = 0
        var queue: [Waiting] = []
    }

    private let state = Mutex(State())

    /// Creates a lock that no task has.
    package init() {}

    /// The number of waiting tasks.
    package var waitingCount: Int { state.withLock { $0.queue.count } }

    /// Runs `body` when no other task has the lock.
    package func take<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard await wait() else { throw CancellationError() }
        defer { passOn() }
        return try await body()
    }

    /// Waits for the lock; returns false if the task was cancelled first.
    private func wait() async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.queue.append(Waiting(id: id, continuation: continuation))
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let removed = state.withLock { state in
                state.queue.firstIndex { $0.id == id }.map { state.queue.remove(at: $0).continuation }
            }
            removed?.resume(returning: false)
        }
    }

    private func passOn() {
        let next = state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isTaken = false
                return nil as CheckedContinuation<Bool, Never>?
            }
            return state.queue.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
