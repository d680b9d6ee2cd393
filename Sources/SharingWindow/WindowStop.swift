import SharingReports
import Synchronization

/// A person's request in the window to end the current job.
package enum WindowStop {
    /// A flag that all tasks of a job share.
    package final class Flag: Sendable {
        private let value = Atomic(false)
        package var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

        package func set(_ isSet: Bool) { value.store(isSet, ordering: .sequentiallyConsistent) }
    }

    /// Runs work until it ends, or a person asks it to.
    ///
    /// - Parameters:
    ///   - requests: The requests to stop. The second one cancels the task of the work.
    ///   - stop: Lets the work end by itself; returns false if it cannot, so that its task must be cancelled.
    ///   - conclude: Returns the error to tell after a request, from the error of the work.
    /// - Throws: The error of `conclude`, or that of `body` if there was no request; nothing if the work was complete.
    package static func watch(
        _ requests: AsyncStream<Void>,
        stop: @escaping @Sendable () -> Bool,
        conclude: (any Error) -> any Error,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let isStopped = Flag()
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await body()
                    return true
                }
                group.addTask {
                    for await _ in requests {
                        let isFirst = !isStopped.isSet
                        isStopped.set(true)
                        guard stop(), isFirst else { return false }
                    }
                    return false
                }
                defer { group.cancelAll() }
                while let hasEnded = try await group.next() {
                    if hasEnded { return }
                    group.cancelAll()
                }
            }
        } catch {
            throw isStopped.isSet ? conclude(error) : error
        }
    }
}
