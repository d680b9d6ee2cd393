import FoundationEssentials
import Glibc
import Synchronization

/// The one way to the screen: results to the standard output; notes, progress and questions to the standard error output.
///
/// The last line of a terminal may hold progress or a question; everything else is written above it.
final class Console: Sendable {
    struct State {
        var status: DisplayText?
        var question: DisplayText?
        var isDrawn = false
        /// Whether the last question went before it was answered.
        var isWithdrawn = false
    }

    let format: OutputFormat
    private let isQuiet: Bool
    private let screen: Screen
    let input: Int32
    let turns = AsyncLock()
    let state = Mutex(State())

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

    /// Writes a line that belongs to a question, also with `--quiet`.
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

    func redraw(_ state: inout State) {
        clear(&state)
        guard let line = state.question ?? state.status, !line.isEmpty else { return }
        Screen.write(line.string, to: STDERR_FILENO)
        state.isDrawn = screen.isLive
    }
}
