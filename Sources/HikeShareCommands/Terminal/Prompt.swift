import Glibc
import Synchronization

/// Questions to the person at the terminal. All prompts are written and answered here.
extension Console {
    /// The pause after a question expires, because a person may be typing its answer.
    private static let pauseAfterWithdrawal: Duration = .seconds(1)

    /// Asks a question and waits for a line.
    ///
    /// Questions are asked one at a time.
    ///
    /// - Parameters:
    ///   - introduction: Text above the question, which is also shown with `--quiet`.
    ///   - question: The question.
    ///   - rings: Whether the bell of the terminal rings, because the person may be looking elsewhere.
    /// - Returns: The line; nil at the end of the input.
    /// - Throws: `CancellationError` if the task was cancelled; the question is then removed.
    func ask(
        introduction: DisplayText? = nil,
        _ question: DisplayText,
        rings: Bool = false
    ) async throws -> String? {
        try await turns.take {
            if state.withLock({ $0.isWithdrawn }) {
                tell("The question above has expired. This is a new one.")
                try await Task.sleep(for: Self.pauseAfterWithdrawal)
                state.withLock { $0.isWithdrawn = false }
            }
            if let introduction { tell(introduction) }
            // Text that was typed before the question was shown is not its answer.
            tcflush(input, TCIFLUSH)
            if rings, screen.isLive { screen.output("\u{07}", STDERR_FILENO) }
            setQuestion(question)
            do {
                let line = try await TerminalLine.read(from: input)
                // The terminal itself moves to the next line, except at the end of the input.
                if line == nil { screen.output("\n", STDERR_FILENO) }
                state.withLock { state in
                    state.question = nil
                    state.block.forget()
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

    /// Asks a yes-or-no question; anything but a clear yes is a no.
    func confirm(
        introduction: DisplayText? = nil,
        _ question: DisplayText,
        byDefault: Bool = false,
        rings: Bool = false
    ) async throws -> Bool {
        let line = try await ask(
            introduction: introduction,
            "\(question) \(byDefault ? "[Y/n]" : "[y/N]") ",
            rings: rings
        )
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
}
