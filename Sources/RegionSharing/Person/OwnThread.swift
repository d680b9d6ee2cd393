import Dispatch
import Synchronization

/// Work that blocks, and that nothing else shall wait for.
package enum OwnThread {
    /// Runs work on a thread of its own.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let work = Work(body)
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "hikeshare.work").async { continuation.resume(with: work.result()) }
        }
    }

    /// Work that is done once.
    ///
    /// What it uses is released before the caller continues: the program may end then, and leave files of a source behind.
    private final class Work<Result: Sendable>: Sendable {
        private let body: Mutex<(@Sendable () throws -> Result)?>

        init(_ body: @escaping @Sendable () throws -> Result) { self.body = Mutex(body) }

        func result() -> Swift.Result<Result, any Error> {
            let body = self.body.withLock { $0.take() }
            return Swift.Result {
                guard let body else { throw CancellationError() }
                return try body()
            }
        }
    }
}
