import Glibc
import Synchronization

/// Questions to the person at the terminal. All prompts are written and answered here.
extension Console {
    /// The pause after a question expires, because a person may be typing its answer.
    private static let pauseAfterWithdrawal: Duration = .seconds(1)

    /// Asks a question and waits for a line; nil at the end of the input.
    ///
    /// Questions are asked one at a time. `introduction` is written above the question, also with `--quiet`.
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
}
