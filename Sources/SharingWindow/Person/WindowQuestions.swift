package import MapPages
package import RegionSharing
import SharingReports

/// The questions in a window, of the job and of what goes on beside it, which are asked one at a time.
package struct WindowQuestions: Sendable {
    private let window: AppWindow
    private let turns = QuestionTurns()
    /// Whether they have nothing to do with the job.
    private var areBeside = false

    package init(in window: AppWindow) { self.window = window }

    /// The questions of what goes on beside the job, in the same order as those of the job.
    var beside: WindowQuestions {
        var copy = self
        copy.areBeside = true
        return copy
    }

    /// Whether a question is asked, or waits to be asked.
    package var isOpen: Bool { turns.isAsking }

    /// Asks a question, which is made when it is its turn.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; the question is then withdrawn.
    package func ask(_ question: @Sendable () -> AppWindowQuestion) async throws -> String {
        try await turns.ask { try await show(question()) }
    }

    /// Asks a question for which somebody else waits only until a time.
    ///
    /// - Parameter question: Makes the question from the time that is left when it is its turn.
    /// - Returns: The answer; nil if other questions have left too little time to ask.
    /// - Throws: `CancellationError` if the task was cancelled; the question is then withdrawn.
    package func ask(
        until end: ContinuousClock.Instant,
        _ question: @escaping @Sendable (Duration) -> AppWindowQuestion
    ) async throws -> String? {
        try await turns.ask(until: end) { try await show(question($0)) }
    }

    /// Asks a question that gives way to others, each time for some time; nil if there was no answer in time.
    package func askGivingWay(
        within time: Duration,
        as rank: QuestionTurns.Rank = .givingWay,
        _ question: @escaping @Sendable () -> AppWindowQuestion
    ) async throws -> String? {
        try await turns.askGivingWay(within: time, as: rank) { try await show(question()) }
    }

    /// Shows a question: a moment later if the one before was withdrawn, so that no answer to that one is taken for this one.
    private func show(_ question: @autoclosure () -> AppWindowQuestion) async throws -> String {
        let isAfterWithdrawal = turns.isAfterWithdrawal
        if isAfterWithdrawal { try await turns.pause {} }
        do {
            var question = question()
            if isAfterWithdrawal {
                question.notice = AppWindowText("The question before has expired. This is a new one:")
            }
            question.isBeside = areBeside
            return try await window.ask(question)
        } catch {
            turns.withdrawn()
            throw error
        }
    }
}
