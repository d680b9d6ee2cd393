import NIOConcurrencyHelpers

/// The task in which a handler answers a request, for the one who may have to cancel it.
///
/// A task of a group cannot be cancelled alone from outside the group, and a task outside of a group would not use the executor of
/// the task that answers requests. So the task lends a reference to itself, as long as it runs.
final class HandlerTask: Sendable {
    // Cancelling is one of the calls that are safe from another task, and the lock is held meanwhile, so the task cannot end.
    private struct Loan: @unchecked Sendable {
        var task: UnsafeCurrentTask?
        var isCancelled = false
        var hasEnded = false
    }

    private let box = NIOLockedValueBox(Loan())

    /// Whether the handler has ended.
    var hasEnded: Bool { box.withLockedValue { $0.hasEnded } }

    /// Runs a handler in the current task.
    func run(_ handler: () async -> Void) async {
        withUnsafeCurrentTask { task in
            let isCancelled = box.withLockedValue { loan in
                loan.task = task
                return loan.isCancelled
            }
            // The request was withdrawn before its handler began.
            if isCancelled { task?.cancel() }
        }
        await handler()
        box.withLockedValue { $0 = Loan(task: nil, hasEnded: true) }
    }

    /// Cancels the task if it still runs, or as soon as it begins.
    func cancel() {
        box.withLockedValue { loan in
            loan.isCancelled = true
            loan.task?.cancel()
        }
    }
}
