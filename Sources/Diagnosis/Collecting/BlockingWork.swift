import Dispatch
import Synchronization

/// Work that blocks in system calls, on a thread of its own, so that it does not block a thread that tasks share.
enum BlockingWork {
    /// Runs `body` on a thread of its own and returns its result.
    ///
    /// - Parameter body: The work. Its argument returns whether the task is cancelled; then the work must end soon.
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
