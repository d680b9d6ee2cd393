import Synchronization

/// What the handlers of a connection know of its client.
final class ConnectedClient: Sendable {
    private struct State {
        var certificate: [UInt8]?
        var isGone = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// The certificate whose key the client has, in DER form; nil if it showed none.
    var certificate: [UInt8]? { state.withLock { $0.certificate } }

    /// Notes the certificate of the client, whose key it has.
    func proved(_ certificate: [UInt8]?) { state.withLock { $0.certificate = certificate } }

    /// Notes that the client sends nothing more.
    func leave() {
        let waiting = state.withLock { state in
            state.isGone = true
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits for a result, and cancels it when the client leaves.
    func whilePresent<Result: Sendable>(_ result: @escaping @Sendable () async -> Result) async -> Result? {
        await withTaskGroup(of: Result?.self) { group in
            group.addTask { await result() }
            group.addTask {
                await self.waitUntilItLeaves()
                return nil
            }
            var answer: Result?
            for await ended in group {
                if let ended { answer = ended }
                group.cancelAll()
            }
            return answer
        }
    }

    /// Waits until the client leaves or the task is cancelled.
    private func waitUntilItLeaves() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isGone, !Task.isCancelled else { return true }
                    state.waiting = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
    }
}
