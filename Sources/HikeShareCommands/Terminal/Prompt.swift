import Glibc
import RegionSharing
import SharingReports
import Synchronization

/// Questions to the person at the terminal. All prompts are written and answered here.
extension Console {
    /// Asks a question and waits for a line.
    ///
    /// - Parameters:
    ///   - introduction: Text above the question, which is also shown with `--quiet`.
    ///   - rings: Whether the bell of the terminal rings, because the person may be looking elsewhere.
    /// - Returns: The line; nil at the end of the input, or if the program is in the background (``canHear``).
    func ask(introduction: DisplayText? = nil, _ question: DisplayText, rings: Bool = false) async throws -> String? {
        try await turns.ask { try await show(introduction, question, rings: rings) }
    }

    /// Asks a yes-or-no question that the other machine waits for until a time.
    ///
    /// - Parameter introduction: Returns the text above the question, from the time that is left when it is shown.
    /// - Returns: Whether the answer is a clear yes; nil if other questions have left too little time to ask.
    func confirm(
        _ question: DisplayText,
        until end: ContinuousClock.Instant,
        introduction: @escaping @Sendable (Duration) -> DisplayText
    ) async throws -> Bool? {
        let line = try await turns.ask(until: end) { left in
            try await self.show(introduction(left), "\(question) [y/N] ", rings: true)
        }
        return line.map { Answer.isYes($0) }
    }

    /// Asks a yes-or-no question as ``askGivingWay(introduction:_:within:as:)`` does; nil if there was no answer in time.
    func confirmGivingWay(
        introduction: DisplayText,
        _ question: DisplayText,
        within time: Duration
    ) async throws -> Bool? {
        let line = try await askGivingWay(introduction: introduction, "\(question) [y/N] ", within: time)
        return line.map { Answer.isYes($0) }
    }

    /// Asks a question that gives way to others, each time for some time.
    ///
    /// - Returns: The line, which is empty at the end of the input; nil if there was none in time.
    func askGivingWay(
        introduction: DisplayText,
        _ question: DisplayText,
        within time: Duration,
        as rank: QuestionTurns.Rank = .givingWay
    ) async throws -> String? {
        try await turns.askGivingWay(within: time, as: rank) {
            try await self.show(introduction, question, rings: true) ?? ""
        }
    }

    /// Waits until a person presses Enter while nothing is asked; returns false at the end of the input.
    func waitForEnter() async throws -> Bool {
        while true {
            let line = try await turns.askGivingWay(within: .seconds(86_400), as: .idle) {
                try await self.show(nil, nil, rings: true)
            }
            if let line { return line != nil }
        }
    }

    /// Asks a question that stays open and gives way to all others; it has the progress above it.
    ///
    /// - Parameter question: Returns the question as it is when it is shown; empty if there is nothing to ask about now.
    /// - Returns: The line; nil at the end of the input.
    func askStanding(_ question: @escaping @Sendable () -> DisplayText) async throws -> String? {
        while true {
            let line = try await turns.askGivingWay(within: .seconds(86_400), as: .standing) {
                try await self.show(nil, question(), rings: false, isStanding: true)
            }
            guard let line else { continue }
            // In the background, the input belongs to another program for a while.
            guard line == nil, !canHear else { return line }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Replaces the question that stays open, if it is shown now.
    func setStanding(_ question: DisplayText) {
        state.withLock { state in
            guard state.isStanding, state.question != question else { return }
            state.question = question
            redraw(&state)
        }
    }

    /// Shows the code that is offered, if there is one.
    func showOfferedCode() { if let code = offeredCode.withLock({ $0 }) { note(code) } }

    /// Shows a question and waits for a line; without a question, nothing that is shown changes.
    private func show(
        _ introduction: DisplayText?,
        _ question: DisplayText?,
        rings: Bool,
        isStanding: Bool = false
    ) async throws -> String? {
        if question != nil, turns.isAfterWithdrawal {
            try await turns.pause {
                if let introduction { tell(introduction) }
                guard !isStanding else { return }
                let isAfterStanding = isAfterStanding.withLock { $0 }
                tell(
                    isAfterStanding
                        ? "This question comes before the list of phones:"
                        : "The question before has expired. This is a new one:"
                )
            }
        } else if let introduction {
            tell(introduction)
        }
        guard canHear else { return nil }
        // Text that was typed before the question was shown is not its answer.
        tcflush(input, TCIFLUSH)
        if rings, question != nil, screen.isLive { screen.output("\u{07}", STDERR_FILENO) }
        let (refusals, refusal) = AsyncStream.makeStream(of: Void.self)
        // Ctrl-C is a no from the moment at which the question can be seen.
        if question != nil, !isStanding { state.withLock { $0.refusal = refusal } }
        state.withLock { $0.isStanding = isStanding }
        defer { state.withLock { ($0.refusal, $0.isStanding) = (nil, false) } }
        setQuestion(question)
        do {
            let line = try await readLine(unless: refusals)
            // The terminal itself moves to the next line, except at the end of the input and for Ctrl-C.
            if line == nil { screen.output("\n", STDERR_FILENO) }
            state.withLock { state in
                state.question = nil
                // A question that stays open is shown again soon, and must not fill the window with its copies.
                if isStanding, line != nil, screen.isLive { state.block.endLine() } else { state.block.forget() }
                redraw(&state)
            }
            return line
        } catch {
            let wasShown = state.withLock { $0.question?.isEmpty == false }
            if wasShown {
                isAfterStanding.withLock { $0 = isStanding }
                turns.withdrawn()
            }
            setQuestion(nil)
            throw error
        }
    }

    /// Reads a line; nil at the end of the input, or if the question is refused.
    private func readLine(unless refusals: AsyncStream<Void>) async throws -> String? {
        try await withThrowingTaskGroup(of: String?.self) { [input] group in
            group.addTask { try await TerminalLine.read(from: input) }
            group.addTask {
                for await _ in refusals {}
                try Task.checkCancellation()
                return nil
            }
            defer { group.cancelAll() }
            guard let line = try await group.next() else { throw CancellationError() }
            return line
        }
    }

    /// Whether what a person types now comes to this program: not if a shell has it in the background.
    var canHear: Bool { TerminalLine.isInForeground(input) }

    /// Whether a question is asked, or waits to be asked.
    var isAsking: Bool { turns.isAsking }

    /// Answers the question that is asked with a no; returns false if there is none.
    func refuse() -> Bool {
        let refusal = state.withLock { state in
            defer { state.refusal = nil }
            return state.refusal
        }
        refusal?.finish()
        return refusal != nil
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

/// The meaning of an answer that a person typed.
enum Answer {
    /// Returns whether the answer is a yes; the end of the input is a no.
    static func isYes(_ line: String?, byDefault: Bool = false) -> Bool {
        guard let line else { return false }
        let word = line.filter { !$0.isWhitespace }.lowercased()
        return word.isEmpty ? byDefault : ["y", "yes"].contains(word)
    }

    /// Returns whether the answer is a clear no, or empty.
    static func isNo(_ line: String?) -> Bool {
        guard let line else { return true }
        return ["", "n", "no"].contains(line.filter { !$0.isWhitespace }.lowercased())
    }
}
