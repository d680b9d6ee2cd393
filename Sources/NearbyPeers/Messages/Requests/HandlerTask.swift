import NIOConcurrencyHelpers

/// The task in which a handler answers a request, for the one who may have to cancel it.
///
/// A task of a group cannot be cancelled alone from outside the group, and a task outside of a group would not use the executor of
/// the task that answers requests. So the task lends a reference to itself, as long as it runs.
final class HandlerTask: Sendable {
    // Cancelling is one of the calls that are safe from another task, and the task waits for those that are at it, so it cannot end.
    private struct Loan: @unchecked Sendable {
        var task: UnsafeCurrentTask?
        var isCancelled = false
        var hasEnded = false
        /// How many calls are cancelling the task.
        var cancelling = 0
        /// The task, while it waits for them.
        var ending: CheckedContinuation<Void, Never>?
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
        let isBeingCancelled = box.withLockedValue { loan in
            loan.task = nil
            loan.hasEnded = true
            return loan.cancelling > 0
        }
        if isBeingCancelled { await awaitCancellations() }
    }

    /// Cancels the task if it still runs, or as soon as it begins.
    ///
    /// The handler's own code may run here, and may call anything, this too. So no lock is held.
    func cancel() {
        let loan = box.withLockedValue { loan in
            loan.isCancelled = true
            if loan.task != nil { loan.cancelling += 1 }
            return loan
        }
        guard let task = loan.task else { return }
        task.cancel()
        let ending = box.withLockedValue { loan in
            loan.cancelling -= 1
            return loan.cancelling == 0 ? loan.ending.take() : nil
        }
        ending?.resume()
    }

    private func awaitCancellations() async {
        await withCheckedContinuation { continuation in
            let isBeingCancelled = box.withLockedValue { loan in
                if loan.cancelling > 0 { loan.ending = continuation }
                return loan.cancelling > 0
            }
            if !isBeingCancelled { continuation.resume() }
        }
    }
}
