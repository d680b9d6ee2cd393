import Glibc
import UnixSignals

/// A person's wish to stop: Ctrl-C, or a signal that asks the program to end.
enum Interruption {
    /// Runs `body`; when the wish comes, asks `stop` to end it, and else cancels its task.
    ///
    /// A second wish ends the program at once.
    ///
    /// - Parameters:
    ///   - message: What is said then.
    ///   - stop: Lets `body` end by itself; false if that cannot be, so that its task must be cancelled.
    ///   - body: What is run.
    /// - Returns: What `body` returns, if it still came to that.
    /// - Throws: ``CommandError`` with ``CommandError/Code/interrupted``, or what `body` throws.
    static func watch<Result: Sendable>(
        message: String = "Interrupted.",
        stop: @escaping @Sendable () -> Bool = { false },
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let interrupted = Signpost()
        do {
            return try await withThrowingTaskGroup(of: Result?.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    for await _ in signals {
                        guard interrupted.raise() else { exit(ExitStatus.interrupted.rawValue) }
                        // Cancelled below; the second wish is still waited for where the body ends by itself.
                        guard stop() else { return nil }
                    }
                    return nil
                }
                defer { group.cancelAll() }
                while let ended = try await group.next() {
                    if let result = ended { return result }
                    group.cancelAll()
                }
                throw CancellationError()
            }
        } catch {
            guard interrupted.isRaised else { throw error }
            throw CommandError(.interrupted, message)
        }
    }
}
