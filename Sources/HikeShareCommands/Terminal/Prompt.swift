import Glibc
import RegionSharing
import SharingReports
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
    /// - Returns: The line; nil at the end of the input, or if nobody can answer now (``canHear``).
    /// - Throws: `CancellationError` if the task was cancelled; the question is then removed.
    func ask(
        introduction: DisplayText? = nil,
        _ question: DisplayText,
        rings: Bool = false
    ) async throws -> String? {
        try await ask(question, rings: rings) { introduction }
    }

    /// Asks a question whose introduction is made when it is shown.
    private func ask(
        _ question: DisplayText,
        rings: Bool,
        introduction: @Sendable () -> DisplayText?
    ) async throws -> String? {
        // A question that gives way is asked again later.
        let others = state.withLock { state in
            state.pressing += 1
            return state.givesWay
        }
        others?.finish()
        defer { state.withLock { $0.pressing -= 1 } }
        return try await turns.take { try await show(introduction(), question, rings: rings) }
    }

    /// Asks a yes-or-no question for which somebody else waits only until a time.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - end: The end of that time.
    ///   - introduction: Returns the text above the question, from the time that is left when it is shown.
    /// - Returns: Whether the answer is a clear yes; nil if other questions have left too little time to ask.
    /// - Throws: `CancellationError` if the task was cancelled.
    func confirm(
        _ question: DisplayText,
        until end: ContinuousClock.Instant,
        introduction: @escaping @Sendable (Duration) -> DisplayText
    ) async throws -> Bool? {
        let (shown, mark) = AsyncStream.makeStream(of: Void.self)
        return try await withThrowingTaskGroup(of: Bool?.self) { group in
            group.addTask {
                let line = try await self.ask("\(question) [y/N] ", rings: true) {
                    mark.finish()
                    return introduction(end - .now)
                }
                return Answer.isYes(line)
            }
            group.addTask {
                let isShown = await withTaskGroup(of: Bool.self) { race in
                    race.addTask {
                        for await _ in shown {}
                        return true
                    }
                    race.addTask {
                        try? await Task.sleep(until: end - Self.leastTime, clock: .continuous)
                        return false
                    }
                    defer { race.cancelAll() }
                    return await race.next() ?? true
                }
                // The answer ends it.
                if isShown { try await Task.sleep(for: .seconds(86_400)) }
                try Task.checkCancellation()
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// The least time in which a person can answer a question.
    private static let leastTime: Duration = .seconds(10)

    /// Asks a yes-or-no question as ``askGivingWay(introduction:_:within:)`` does.
    ///
    /// - Parameters:
    ///   - introduction: Text above the question.
    ///   - question: The question.
    ///   - time: The time in which it must be answered each time.
    /// - Returns: Whether the answer is a clear yes; nil if there was none in time.
    /// - Throws: `CancellationError` if the task was cancelled.
    func confirmGivingWay(
        introduction: DisplayText,
        _ question: DisplayText,
        within time: Duration
    ) async throws -> Bool? {
        let line = try await askGivingWay(introduction: introduction, "\(question) [y/N] ", within: time)
        return line.map { Answer.isYes($0) }
    }

    /// Asks a question that no other question waits for: it is withdrawn when there is another one, and asked again after that.
    ///
    /// - Parameters:
    ///   - introduction: Text above the question.
    ///   - question: The question.
    ///   - time: The time in which it must be answered each time.
    /// - Returns: The line, which is empty at the end of the input; nil if there was none in time.
    /// - Throws: `CancellationError` if the task was cancelled.
    func askGivingWay(
        introduction: DisplayText,
        _ question: DisplayText,
        within time: Duration
    ) async throws -> String? {
        while true {
            switch try await turns.take({ try await showGivingWay(introduction, question, within: time) }) {
            case .answer(let line): return line ?? ""
            case .expired: return nil
            case .gaveWay: await Task.yield()
            }
        }
    }

    /// Waits until a person presses Enter while nothing is asked; returns false at the end of the input.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    func waitForEnter() async throws -> Bool {
        while true {
            switch try await turns.take({ try await showGivingWay(nil, nil, within: .seconds(86_400)) }) {
            case .answer(let line): return line != nil
            case .expired, .gaveWay: await Task.yield()
            }
        }
    }

    /// What became of a question that gives way.
    private enum Patience: Sendable {
        case answer(String?)
        case expired
        case gaveWay
    }

    private func showGivingWay(
        _ introduction: DisplayText?,
        _ question: DisplayText?,
        within time: Duration
    ) async throws -> Patience {
        let (way, others) = AsyncStream.makeStream(of: Void.self)
        let isFirst = state.withLock { state in
            state.givesWay = others
            return state.pressing == 0
        }
        defer { state.withLock { $0.givesWay = nil } }
        // The other question waits for its turn already, and comes before this one.
        guard isFirst else { return .gaveWay }
        return try await withThrowingTaskGroup(of: Patience.self) { group in
            group.addTask { .answer(try await self.show(introduction, question, rings: true)) }
            group.addTask {
                for await _ in way {}
                try Task.checkCancellation()
                return .gaveWay
            }
            group.addTask {
                try await Task.sleep(for: time)
                return .expired
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Shows a question and waits for a line; without a question, nothing that is shown changes.
    private func show(
        _ introduction: DisplayText?,
        _ question: DisplayText?,
        rings: Bool
    ) async throws -> String? {
        let isAfterWithdrawal = question != nil && state.withLock { $0.isWithdrawn }
        // What became of the peer that was asked about comes first.
        if isAfterWithdrawal { try await Task.sleep(for: Self.pauseAfterWithdrawal / 2) }
        if let introduction { tell(introduction) }
        if isAfterWithdrawal {
            tell("The question before has expired. This is a new one:")
            try await Task.sleep(for: Self.pauseAfterWithdrawal)
            state.withLock { $0.isWithdrawn = false }
        }
        guard canHear else { return nil }
        // Text that was typed before the question was shown is not its answer.
        tcflush(input, TCIFLUSH)
        if rings, question != nil, screen.isLive { screen.output("\u{07}", STDERR_FILENO) }
        let (refusals, refusal) = AsyncStream.makeStream(of: Void.self)
        // Ctrl-C is a no from the moment at which the question can be seen.
        if question != nil { state.withLock { $0.refusal = refusal } }
        defer { state.withLock { $0.refusal = nil } }
        setQuestion(question)
        do {
            let line = try await readLine(unless: refusals)
            // The terminal itself moves to the next line, except at the end of the input and for Ctrl-C.
            if line == nil { screen.output("\n", STDERR_FILENO) }
            state.withLock { state in
                state.question = nil
                state.block.forget()
                redraw(&state)
            }
            return line
        } catch {
            if question != nil {
                setQuestion(nil)
                state.withLock { $0.isWithdrawn = true }
            }
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
    var isAsking: Bool { state.withLock { $0.pressing > 0 } }

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
    /// Returns whether the answer is a yes.
    ///
    /// The end of the input is a no.
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
