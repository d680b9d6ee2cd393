import NIOConcurrencyHelpers
import PeerCore

/// The calls of the application's handlers that have not returned.
///
/// A handler may ask a person, or wait for a disk that hangs. When the caller's task is cancelled or the session ends,
/// the handler's task is cancelled, and the wait ends even if the handler does not return.
final class HandlerCalls: Sendable {
    private struct State {
        var endings: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
        var hasEnded = false
    }

    private let box = NIOLockedValueBox(State())

    /// Calls a handler, and waits for its answer; throws `CancellationError` if the wait ends first.
    func call<Result: Sendable>(
        on executor: any TaskExecutor,
        _ handler: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let answer = Awaited<Swift.Result<Result, any Error>>()
        // This is no child task, because a parent waits for its children, and a handler may never return.
        let task = Task(executorPreference: executor) { answer.fulfil(await Swift.Result(of: handler)) }
        let stopped = Swift.Result<Result, any Error>.failure(CancellationError())
        let number = add { answer.fulfil(stopped) }
        defer {
            remove(number)
            task.cancel()
        }
        return try await answer.value(ifCancelled: stopped).get()
    }

    /// Ends the waits for all handlers, including those that are called later.
    func endAll() {
        let endings = box.withLockedValue { state in
            defer { state.endings = [:] }
            state.hasEnded = true
            return Array(state.endings.values)
        }
        for end in endings { end() }
    }

    private func add(_ end: @escaping @Sendable () -> Void) -> Int {
        let (number, hasEnded) = box.withLockedValue { state in
            state.lastNumber += 1
            if !state.hasEnded { state.endings[state.lastNumber] = end }
            return (state.lastNumber, state.hasEnded)
        }
        if hasEnded { end() }
        return number
    }

    private func remove(_ number: Int) { box.withLockedValue { _ = $0.endings.removeValue(forKey: number) } }
}
