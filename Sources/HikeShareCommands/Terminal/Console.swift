import FoundationEssentials
import Glibc
import Synchronization

/// The one way to the screen: results to the standard output; notes, progress and questions to the standard error output.
///
/// The last line of a terminal may hold progress or a question; everything else is written above it.
final class Console: Sendable {
    private struct State {
        var status: DisplayText?
        var question: DisplayText?
        var isDrawn = false
        /// Whether the last question went before it was answered.
        var isWithdrawn = false
    }

    /// How long nothing is taken for an answer after a question went, as somebody may just be answering that.
    private static let pauseAfterWithdrawal: Duration = .seconds(1)

    let format: OutputFormat
    private let isQuiet: Bool
    private let screen: Screen
    private let input: Int32
    private let turns = AsyncLock()
    private let state = Mutex(State())

    init(
        format: OutputFormat,
        isQuiet: Bool = false,
        screen: Screen = .current(environment: ProcessInfo.processInfo.environment["TERM"]),
        input: Int32 = STDIN_FILENO
    ) {
        self.format = format
        self.isQuiet = isQuiet
        self.screen = screen
        self.input = input
    }

    /// Whether there is somebody to ask.
    var canAsk: Bool { screen.canAsk }

    /// Whether progress is shown as a line that changes.
    var isLive: Bool { screen.isLive && !isQuiet && format == .text }

    /// Whether progress is shown as lines, one after the other.
    var showsPlainProgress: Bool { !screen.isLive && !isQuiet && format == .text }

    /// How wide the terminal is.
    var columns: Int { screen.columns }

    /// Writes a result.
    func emit(_ report: some Report) {
        write(report.rendered(as: format), to: STDOUT_FILENO)
    }

    /// Writes a report for programs only; people learn of it in another way.
    func emitForPrograms(_ report: some Report) {
        if format == .json { emit(report) }
    }

    /// Tells a person something that is no result.
    func note(_ text: DisplayText) {
        guard !isQuiet, format == .text else { return }
        write(text.string + "\n", to: STDERR_FILENO)
    }

    /// Tells a person something that belongs to a question, whoever was to be quiet.
    func tell(_ text: DisplayText) {
        write(text.string + "\n", to: STDERR_FILENO)
    }

    /// Shows a QR code if there is a terminal, and room on it.
    func show(_ code: QRCode, of what: DisplayText) {
        guard isLive else { return }
        let (needed, present) = (code.size, screen.size)
        // One row is left for the cursor.
        guard needed.columns <= present.columns, needed.rows < present.rows else {
            return note(
                "(To see \(what) as a QR code, enlarge the window to at least \(needed.columns) × \(needed.rows + 1))"
            )
        }
        note(code.text)
    }

    /// Writes a line of the log.
    func writeLog(_ line: String) {
        write(line, to: STDERR_FILENO)
    }

    /// Tells what is wrong without being the end.
    func warn(_ warning: some Report) {
        write(warning.rendered(as: format), to: STDERR_FILENO)
    }

    /// Shows progress in the last line; nil clears it.
    func show(_ status: DisplayText?) {
        guard isLive else { return }
        state.withLock { state in
            guard state.status != status else { return }
            state.status = status
            redraw(&state)
        }
    }

    /// Asks a question and waits for a line; nil at the end of the input.
    ///
    /// Several questions wait for one another. `introduction` is written above the question, whoever was to be quiet.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; the question is gone then.
    func ask(introduction: DisplayText? = nil, _ question: DisplayText) async throws -> String? {
        try await turns.take {
            if state.withLock({ $0.isWithdrawn }) {
                tell("The question above has expired; here is another one.")
                try await Task.sleep(for: Self.pauseAfterWithdrawal)
                state.withLock { $0.isWithdrawn = false }
            }
            if let introduction { tell(introduction) }
            // What was typed before the question was there cannot be the answer to it.
            tcflush(input, TCIFLUSH)
            setQuestion(question)
            do {
                let line = try await TerminalLine.read(from: input)
                // The terminal has moved on to the next line by itself, but for an end of the input.
                if line == nil { Screen.write("\n", to: STDERR_FILENO) }
                state.withLock { state in
                    state.question = nil
                    state.isDrawn = false
                    redraw(&state)
                }
                return line
            } catch {
                setQuestion(nil)
                state.withLock { $0.isWithdrawn = true }
                throw error
            }
        }
    }

    /// Asks for a yes; anything but a clear yes is a no.
    func confirm(
        introduction: DisplayText? = nil,
        _ question: DisplayText,
        byDefault: Bool = false
    ) async throws -> Bool {
        let line = try await ask(introduction: introduction, "\(question) \(byDefault ? "[Y/n]" : "[y/N]") ")
        return Answer.isYes(line, byDefault: byDefault)
    }

    /// Replaces the question that is being asked.
    func setQuestion(_ question: DisplayText?) {
        state.withLock { state in
            guard state.question != question else { return }
            state.question = question
            redraw(&state)
        }
    }

    private func write(_ text: String, to descriptor: Int32) {
        guard !text.isEmpty else { return }
        state.withLock { state in
            clear(&state)
            Screen.write(text, to: descriptor)
            redraw(&state)
        }
    }

    private func clear(_ state: inout State) {
        guard state.isDrawn else { return }
        Screen.write("\r\u{1B}[K", to: STDERR_FILENO)
        state.isDrawn = false
    }

    private func redraw(_ state: inout State) {
        clear(&state)
        guard let line = state.question ?? state.status, !line.isEmpty else { return }
        Screen.write(line.string, to: STDERR_FILENO)
        state.isDrawn = screen.isLive
    }
}
