import Dispatch
import Glibc
import Synchronization
import UnixSignals

/// A person's wish to stop: Ctrl-C, or a signal that asks the program to end.
enum Interruption {
    private final class State: Sendable {
        let isInterrupted = Atomic(false)
        let hasEnded = Atomic(false)
    }

    /// Runs `body`; when the wish comes, asks `stop` to end it, and else cancels its task.
    ///
    /// A second wish ends the program at once. So does the first one if `body` does not end within a moment, because
    /// something holds it up that cannot be cancelled, such as a disk that hangs.
    ///
    /// - Parameters:
    ///   - message: What is said then.
    ///   - stop: Lets `body` end by itself; false if that cannot be, so that its task must be cancelled.
    ///   - isSaying: Whether `body` may still be telling others that it ends.
    ///   - body: What is run.
    /// - Returns: What `body` returns, if it still came to that.
    /// - Throws: ``CommandError`` with ``CommandError/Code/interrupted``, or what `body` throws.
    static func watch<Result: Sendable>(
        message: String = "Interrupted.",
        stop: @escaping @Sendable () -> Bool = { false },
        isSaying: @escaping @Sendable () -> Bool = { false },
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let state = State()
        defer { state.hasEnded.store(true, ordering: .sequentiallyConsistent) }
        do {
            return try await withThrowingTaskGroup(of: Result?.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    for await _ in signals {
                        guard !state.isInterrupted.exchange(true, ordering: .sequentiallyConsistent) else {
                            _exit(ExitStatus.interrupted.rawValue)
                        }
                        let endsByItself = stop()
                        endProgram(unless: state, while: isSaying)
                        // Cancelled below; the second wish is still waited for where the body ends by itself.
                        guard endsByItself else { return nil }
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
            guard state.isInterrupted.load(ordering: .sequentiallyConsistent) else { throw error }
            throw CommandError(.interrupted, message)
        }
    }

    /// How long what is cancelled may take to end, when all is said.
    private static let cancellationTime: Duration = .milliseconds(450)
    /// How long it may take to say farewell, on a slow link and a busy machine.
    private static let farewellTime: Duration = .milliseconds(4550)

    /// Ends the program after a time, whatever its threads wait for.
    private static func endProgram(unless state: State, while isSaying: @escaping @Sendable () -> Bool) {
        let start = ContinuousClock.now
        DispatchQueue(label: "hikeshare.interruption").async {
            while isSaying(), ContinuousClock.now - start < farewellTime { usleep(20_000) }
            usleep(UInt32(cancellationTime / .microseconds(1)))
            guard !state.hasEnded.load(ordering: .sequentiallyConsistent) else { return }
            ProblemOutput.exit(CommandError(.interrupted, "Interrupted."))
        }
    }
}
