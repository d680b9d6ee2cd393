import FoundationEssentials
import Glibc
import Synchronization

/// The only way to the screen.
///
/// Results go to the standard output; notes, progress and questions go to the standard error output. The last lines of a
/// terminal may hold progress or a question. Everything else is written above them.
final class Console: Sendable {
    struct State {
        var status: DisplayText?
        var question: DisplayText?
        /// The lines of the question or the progress that are on the screen.
        var block = LiveBlock()
        /// Whether the last question was withdrawn before it was answered.
        var isWithdrawn = false
        /// The number of questions that others give way to.
        var pressing = 0
        /// Is finished to withdraw the question that gives way; nil if there is none.
        var givesWay: AsyncStream<Void>.Continuation?
    }

    let format: OutputFormat
    private let isQuiet: Bool
    let screen: Screen
    let input: Int32
    let turns = AsyncLock()
    let state = Mutex(State())

    init(
        format: OutputFormat,
        isQuiet: Bool = false,
        screen: Screen = .current(ProcessInfo.processInfo.environment),
        input: Int32 = STDIN_FILENO
    ) {
        self.format = format
        self.isQuiet = isQuiet
        self.screen = screen
        self.input = input
    }

    /// Whether a person can be asked.
    var canAsk: Bool { screen.canAsk }

    /// Whether progress is shown in lines that change.
    var isLive: Bool { screen.isLive && !isQuiet && format == .text }

    /// Whether progress is shown as lines, one after the other.
    var showsPlainProgress: Bool { !screen.isLive && !isQuiet && format == .text }

    /// The number of columns of the terminal.
    var columns: Int { screen.columns }

    /// How many columns and rows the terminal has.
    var size: (columns: Int, rows: Int) { screen.size }

    /// Writes a result.
    func emit(_ report: some Report) {
        write(report.rendered(as: format, in: screen.style(of: STDOUT_FILENO)), to: STDOUT_FILENO)
    }

    /// Writes a report in JSON only; people learn of it in another way.
    func emitForPrograms(_ report: some Report) {
        if format == .json { emit(report) }
    }

    /// Tells a person something that is not a result.
    func note(_ text: DisplayText) {
        guard !isQuiet, format == .text else { return }
        tell(text)
    }

    /// Writes lines that belong to a question, also with `--quiet`.
    func tell(_ text: DisplayText) {
        write(screen.style(of: STDERR_FILENO).render(text) + "\n", to: STDERR_FILENO)
    }

    /// Writes a line of the log.
    func writeLog(_ line: String) {
        write(line, to: STDERR_FILENO)
    }

    /// Reports a problem that does not end the command.
    func warn(_ warning: some Report) {
        write(warning.rendered(as: format, in: screen.style(of: STDERR_FILENO)), to: STDERR_FILENO)
    }

    /// Shows progress at the bottom of the terminal; nil removes it.
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
            screen.output(text, descriptor)
            redraw(&state)
        }
    }

    private func clear(_ state: inout State) {
        guard !state.block.isEmpty else { return }
        // Where nothing can be erased, the question stays and is repeated below.
        screen.output(screen.isLive ? state.block.erasure(columns: columns) : "\n", STDERR_FILENO)
        state.block.forget()
    }

    func redraw(_ state: inout State) {
        clear(&state)
        guard let text = state.question ?? state.status, !text.isEmpty else { return }
        let style = screen.style(of: STDERR_FILENO)
        let lines = self.lines(of: text, isQuestion: state.question != nil)
        screen.output(lines.map { style.render(line: $0) }.joined(separator: "\n"), STDERR_FILENO)
        state.block.draw(lines)
    }

    /// Returns the lines in which a question or progress is written.
    func lines(of text: DisplayText, isQuestion: Bool) -> [DisplayText] {
        var style = screen.style(of: STDERR_FILENO)
        // The cursor and a short answer need room on the last line.
        style.width = style.width.map { $0 - (isQuestion ? 4 : 1) }
        return style.lines(of: text)
    }
}
