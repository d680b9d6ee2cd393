import Dispatch
import Glibc
import Sentences
import SharingReports
import Synchronization

/// Writes what the program says, in order and on a thread of its own.
///
/// Usually the caller waits, as for a pager. While other machines depend on the program, it does not: a pipe or terminal without a
/// reader holds up this thread alone, and what does not fit into the queue is left out.
final class OutputQueue: Sendable {
    private struct State {
        /// The length of what is still to be written, in bytes.
        var byteCount = 0
        /// How many texts were left out since the last one that was not.
        var leftOutCount = 0
        /// How many reasons there are not to wait.
        var hurryCount = 0
    }

    /// The queue of this process.
    static let standard = OutputQueue(
        output: { Screen.write($0, to: $1) },
        notice: { count in
            let text: Sentence =
                count == 1
                ? "One message was left out here, because nobody read the output."
                : "\(count) messages were left out here, because nobody read the output."
            let report = ProblemReport(CommandError(.output, text), severity: .warning)
            return report.rendered(as: CommandArguments.format(CommandLine.arguments))
        }
    )

    /// The most bytes in the queue while callers do not wait.
    static let maximumByteCount = 1 << 20
    /// How long the end of the program waits for a reader after a person has stopped it.
    static let farewellTime: DispatchTimeInterval = .milliseconds(500)

    private let thread = DispatchQueue(label: "hikeshare.output")
    private let state = Mutex(State())
    private let output: @Sendable (String, Int32) -> Void
    private let notice: @Sendable (Int) -> String

    /// Creates a queue; `notice` returns what is written to the standard error output in place of texts that were left out.
    init(output: @escaping @Sendable (String, Int32) -> Void, notice: @escaping @Sendable (Int) -> String) {
        self.output = output
        self.notice = notice
    }

    /// Writes a text; waits until it is written, unless others depend on the program.
    func write(_ text: String, to descriptor: Int32) {
        let length = text.utf8.count
        let (isTaken, leftOutCount, waits) = state.withLock { state -> (Bool, Int, Bool) in
            let waits = state.hurryCount == 0
            guard waits || state.byteCount + length <= Self.maximumByteCount else {
                state.leftOutCount += 1
                return (false, 0, false)
            }
            state.byteCount += length
            defer { state.leftOutCount = 0 }
            return (true, state.leftOutCount, waits)
        }
        guard isTaken else { return }
        thread.async { [self] in
            if leftOutCount > 0 { output(notice(leftOutCount), STDERR_FILENO) }
            output(text, descriptor)
            state.withLock { $0.byteCount -= length }
        }
        if waits { thread.sync {} }
    }

    /// Lets callers return at once, until ``wait()``.
    func hurry() { state.withLock { $0.hurryCount += 1 } }

    /// Ends a ``hurry()``.
    func wait() { state.withLock { $0.hurryCount -= 1 } }

    /// Waits until everything is written, or until a time is over.
    func drain(within time: DispatchTimeInterval? = nil) {
        let written = DispatchSemaphore(value: 0)
        thread.async { written.signal() }
        _ = written.wait(timeout: time.map { .now() + $0 } ?? .distantFuture)
    }
}
