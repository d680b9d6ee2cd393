import FoundationEssentials
import Glibc
import RegionSharing
import SharingReports
import Synchronization

/// The only way to the screen.
///
/// Results go to the standard output; notes, progress and questions go to the standard error output. The last lines of a
/// terminal may hold progress or a question. Everything else is written above them.
final class Console: Sendable {
    struct State {
        var status: DisplayText?
        var question: DisplayText?
        /// Whether the question is one that stays open, and has the progress above it.
        var isStanding = false
        /// The lines of the question or the progress that are on the screen.
        var block = LiveBlock()
        /// Finish this to answer the question with a no; nil if there is none.
        var refusal: AsyncStream<Void>.Continuation?
    }

    let format: OutputFormat
    let isQuiet: Bool
    let screen: Screen
    let input: Int32
    let turns = QuestionTurns()
    let state = Mutex(State())
    /// The work on this machine whose progress is shown; nil for none.
    let work = Mutex<WorkProgress?>(nil)
    /// The code that is shown when a person presses Enter while nothing else is asked; nil for none.
    let offeredCode = Mutex<QRCodeSheet?>(nil)
    /// Whether the question that was withdrawn last is one that stays open.
    let isAfterStanding = Mutex(false)

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

    /// How a person stops the command.
    static let stopping: DisplayText = "press Ctrl-C"

    /// Writes a result.
    func emit(_ report: some Report) {
        write(report.rendered(as: format, in: screen.style(of: STDOUT_FILENO)), to: STDOUT_FILENO)
    }

    /// Writes a report in JSON only; people learn of it in another way.
    func emitForPrograms(_ report: some Report) { if format == .json { emit(report) } }

    /// Tells a person something that is not a result.
    func note(_ text: DisplayText) {
        guard !isQuiet, format == .text else { return }
        tell(text)
    }

    /// Writes lines that belong to a question, also with `--quiet`.
    func tell(_ text: DisplayText) {
        write(screen.style(of: STDERR_FILENO).render(text) + "\n", to: STDERR_FILENO)
    }

    func note(_ codes: QRCodeSheet) { note(codes.text) }

    func writeLog(_ line: String) { write(line, to: STDERR_FILENO) }

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
            // A question hides progress, unless it stays open.
            guard state.question == nil || state.isStanding else { return }
            // What a person has begun to type stays on the screen.
            guard let change = state.block.changed(to: lines(of: state), columns: columns) else {
                return redraw(&state)
            }
            screen.output(change.before + style.render(line: change.line) + change.after, STDERR_FILENO)
        }
    }

    private var style: OutputStyle { screen.style(of: STDERR_FILENO) }

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
        let lines = self.lines(of: state)
        guard !lines.isEmpty else { return }
        screen.output(lines.map { style.render(line: $0) }.joined(separator: "\n"), STDERR_FILENO)
        state.block.draw(lines)
    }

    /// Returns the lines at the bottom: a question or progress, or progress above a question that stays open.
    private func lines(of state: State) -> [DisplayText] {
        var texts: [(text: DisplayText, isQuestion: Bool)] = []
        if let status = state.status, state.question == nil || state.isStanding { texts.append((status, false)) }
        if let question = state.question { texts.append((question, true)) }
        return texts.filter { !$0.text.isEmpty }.flatMap { lines(of: $0.text, isQuestion: $0.isQuestion) }
    }

    /// Returns the lines in which a question or progress is written.
    func lines(of text: DisplayText, isQuestion: Bool) -> [DisplayText] {
        var style = style
        // The cursor and a short answer need room on the last line.
        style.width = style.width.map { $0 - (isQuestion ? 4 : 1) }
        return style.lines(of: text)
    }
}

/// Sketches are shown only in terminals, and only if the window has room for them.
extension Console {
    // The frame and the legend take three rows of these.
    private static let maximumRowsOfOffer = 11
    private static let maximumRowsOfResult = 13

    /// Returns the text above the question about an offer.
    ///
    /// Its sketch is so small that the whole offer and the question stay in the window.
    func introduction(of offer: OfferFacts) -> DisplayText {
        let text = offer.text
        guard screen.messages.isTerminal else { return text }
        let size = self.size
        let others = screen.style(of: STDERR_FILENO).lines(of: text) + lines(of: offer.question, isQuestion: true)
        // A word that is wider than the window takes several rows.
        let taken = others.reduce(0) { $0 + max(1, ($1.width + size.columns - 1) / max(1, size.columns)) }
        let room = AreaSketch.Room(columns: size.columns, rows: min(Self.maximumRowsOfOffer, size.rows - taken))
        return offer.area.text(in: room, with: screen.characters).map { "\(text)\n\($0)" } ?? text
    }

    /// Returns a sketch for a result; empty if there is none.
    func text(of sketch: () throws -> AreaSketch) rethrows -> DisplayText {
        guard screen.results.isTerminal, format == .text else { return "" }
        let size = screen.measure(STDOUT_FILENO)
        let room = AreaSketch.Room(columns: size.columns, rows: min(Self.maximumRowsOfResult, size.rows - 1))
        return try sketch().text(in: room, with: screen.characters) ?? ""
    }
}
