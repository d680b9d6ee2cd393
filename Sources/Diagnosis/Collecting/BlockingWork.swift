import Dispatch
import Synchronization

/// Work that waits in calls of the system, on a thread of its own.
enum BlockingWork {
    /// Runs `body` on a thread of its own and returns its result.
    ///
    /// - Parameter body: The work. It ends soon after the closure that it gets returns true, which says that the task is
    ///   cancelled.
    /// - Returns: The result of `body`.
    static func run<Result: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @Sendable () -> Bool) -> Result
    ) async -> Result {
        let flag = Flag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "Diagnosis.work").async {
                    continuation.resume(returning: body { flag.isSet.load(ordering: .relaxed) })
                }
            }
        } onCancel: {
            flag.isSet.store(true, ordering: .relaxed)
        }
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }
}
