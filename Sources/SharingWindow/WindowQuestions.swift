package import MapPages
import RegionSharing
import SharingReports
import Synchronization

/// The questions of a job, which are asked one at a time.
package final class WindowQuestions: Sendable {
    private struct State {
        var openCount = 0
        /// Is finished to withdraw the question that gives way; nil if there is none.
        var givesWay: AsyncStream<Void>.Continuation?
        /// Whether the last question was withdrawn before it was answered.
        var isWithdrawn = false
        /// The questions with a time limit that are on the page.
        var shown: Set<Int> = []
        var nextID = 0
    }

    /// The pause after a question expires, because a person may be about to answer it.
    private static let pauseAfterWithdrawal: Duration = .seconds(1)
    /// The least time in which a person can answer a question.
    private static let leastTime: Duration = .seconds(10)

    private let window: AppWindow
    private let turns = AsyncLock()
    private let state = Mutex(State())

    package init(in window: AppWindow) { self.window = window }

    /// Whether a question is asked, or waits to be asked.
    package var isOpen: Bool { state.withLock { $0.openCount > 0 } }

    /// Asks a question, which is made when it is its turn.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; the question is then withdrawn.
    package func ask(_ question: @Sendable () -> AppWindowQuestion) async throws -> String {
        let others = state.withLock { state in
            state.openCount += 1
            return state.givesWay
        }
        others?.finish()
        defer { state.withLock { $0.openCount -= 1 } }
        return try await turns.take { try await show(question()) }
    }

    /// Shows a question: a moment later if the one before was withdrawn, so that no answer to that one is taken for this one.
    private func show(_ question: @autoclosure () -> AppWindowQuestion) async throws -> String {
        if state.withLock({ $0.isWithdrawn }) {
            // What became of the peer that was asked about comes first.
            try await Task.sleep(for: Self.pauseAfterWithdrawal / 2)
            window.tell(AppWindowText("The question before has expired. This is a new one:"))
            try await Task.sleep(for: Self.pauseAfterWithdrawal)
            state.withLock { $0.isWithdrawn = false }
        }
        do {
            return try await window.ask(question())
        } catch {
            state.withLock { $0.isWithdrawn = true }
            throw error
        }
    }

    /// Asks a question for which somebody else waits only until a time.
    ///
    /// - Parameters:
    ///   - end: The end of that time.
    ///   - question: Makes the question from the time that is left when it is its turn.
    /// - Returns: The answer; nil if other questions have left too little time to ask.
    /// - Throws: `CancellationError` if the task was cancelled; the question is then withdrawn.
    package func ask(
        until end: ContinuousClock.Instant,
        _ question: @escaping @Sendable (Duration) -> AppWindowQuestion
    ) async throws -> String? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        defer { state.withLock { _ = $0.shown.remove(id) } }
        return try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { [self] in
                try await ask {
                    self.state.withLock { _ = $0.shown.insert(id) }
                    return question(end - .now)
                }
            }
            group.addTask { [self] in
                try await Task.sleep(until: end - Self.leastTime, clock: .continuous)
                // The answer ends it.
                while state.withLock({ $0.shown.contains(id) }) { try await Task.sleep(for: .seconds(86_400)) }
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Asks a question that no other question waits for: it is withdrawn when there is another one, and asked again after that.
    ///
    /// - Parameters:
    ///   - time: The time in which it must be answered each time.
    ///   - question: Makes the question.
    /// - Returns: The answer; nil if there was none in time.
    /// - Throws: `CancellationError` if the task was cancelled.
    package func askGivingWay(
        within time: Duration,
        _ question: @escaping @Sendable () -> AppWindowQuestion
    ) async throws -> String? {
        while true {
            switch try await turns.take({ try await showGivingWay(question, within: time) }) {
            case .answer(let answer): return answer
            case .expired: return nil
            case .gaveWay: await Task.yield()
            }
        }
    }

    /// What became of a question that gives way.
    private enum Patience: Sendable {
        case answer(String)
        case expired
        case gaveWay
    }

    private func showGivingWay(
        _ question: @escaping @Sendable () -> AppWindowQuestion,
        within time: Duration
    ) async throws -> Patience {
        let (way, others) = AsyncStream.makeStream(of: Void.self)
        let isFirst = state.withLock { state in
            state.givesWay = others
            return state.openCount == 0
        }
        defer { state.withLock { $0.givesWay = nil } }
        // The other question waits for its turn already, and comes before this one.
        guard isFirst else { return .gaveWay }
        return try await withThrowingTaskGroup(of: Patience.self) { group in
            group.addTask { .answer(try await self.show(question())) }
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
}
