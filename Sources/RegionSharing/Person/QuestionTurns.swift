import Synchronization

/// The order of the questions to one person: one is asked at a time, some give way to others, and some expire.
package final class QuestionTurns: Sendable {
    /// Which questions come before others.
    package enum Rank: Int, Comparable, Sendable {
        /// It waits for a person who wants something unasked, such as a picture.
        case idle
        /// It stays open as long as the command runs, such as a list to pick from.
        case standing
        /// It is about something that is over, such as a name, and nothing waits for it.
        case afterwards
        /// It gives way to questions for which somebody waits.
        case givingWay
        /// Somebody waits for the answer.
        case pressing

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    private struct State {
        /// The number of questions of each rank that are asked, or wait to be asked.
        var openCounts: [Rank: Int] = [:]
        /// The rank of the question that is asked and gives way, and what to finish to withdraw it; nil if there is none.
        var givesWay: (rank: Rank, others: AsyncStream<Void>.Continuation)?
        /// Whether the last question was withdrawn before it was answered.
        var isWithdrawn = false
        /// The questions with a time limit that were shown.
        var shown: Set<Int> = []
        var lastID = 0
    }

    /// The pause after a question was withdrawn, because a person may be about to answer it.
    private static let pauseAfterWithdrawal: Duration = .seconds(1)
    /// The least time in which a person can answer a question.
    private static let leastTime: Duration = .seconds(10)

    private let lock = AsyncLock()
    private let state = Mutex(State())

    package init() {}

    /// Whether a question is asked, or waits to be asked.
    package var isAsking: Bool { state.withLock { $0.openCounts[.pressing, default: 0] > 0 } }

    /// Whether the last question was withdrawn, so that an answer to it may still come.
    package var isAfterWithdrawal: Bool { state.withLock { $0.isWithdrawn } }

    /// Notes that the question was withdrawn.
    package func withdrawn() { state.withLock { $0.isWithdrawn = true } }

    /// Waits after a withdrawn question, and tells in between that the next one is new.
    package func pause(_ tell: () -> Void) async throws {
        // What became of the peer that was asked about comes first.
        try await Task.sleep(for: Self.pauseAfterWithdrawal / 2)
        tell()
        try await Task.sleep(for: Self.pauseAfterWithdrawal)
        state.withLock { $0.isWithdrawn = false }
    }

    /// Asks a question when it is its turn.
    package func ask<Answer>(_ show: () async throws -> Answer) async throws -> Answer {
        open(.pressing)
        defer { close(.pressing) }
        return try await lock.take(show)
    }

    /// Notes that a question is asked or waits, and withdraws the one that gives way to it, which is asked again later.
    private func open(_ rank: Rank) {
        let others = state.withLock { state in
            state.openCounts[rank, default: 0] += 1
            return state.givesWay.flatMap { $0.rank < rank ? $0.others : nil }
        }
        others?.finish()
    }

    private func close(_ rank: Rank) { state.withLock { $0.openCounts[rank, default: 0] -= 1 } }

    /// Asks a question that the other machine waits for until a time.
    ///
    /// - Parameter show: Asks it in the time that is left when it is its turn.
    /// - Returns: The answer; nil if other questions have left too little time to ask.
    package func ask<Answer: Sendable>(
        until end: ContinuousClock.Instant,
        _ show: @escaping @Sendable (Duration) async throws -> Answer
    ) async throws -> Answer? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        defer { state.withLock { _ = $0.shown.remove(id) } }
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { [self] in
                try await ask {
                    self.state.withLock { _ = $0.shown.insert(id) }
                    return try await show(end - .now)
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

    /// Asks a question that no other question waits for: it is withdrawn when there is one of a higher rank, and asked again after
    /// that.
    ///
    /// - Parameter time: The time in which it must be answered each time.
    package func askGivingWay<Answer: Sendable>(
        within time: Duration,
        as rank: Rank = .givingWay,
        _ show: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer? {
        open(rank)
        defer { close(rank) }
        while true {
            switch try await lock.take({ try await showGivingWay(within: time, as: rank, show) }) {
            case .answer(let answer): return answer
            case .expired: return nil
            case .gaveWay: await Task.yield()
            }
        }
    }

    /// What became of a question that gives way.
    private enum Patience<Answer: Sendable>: Sendable {
        case answer(Answer)
        case expired
        case gaveWay
    }

    private func showGivingWay<Answer: Sendable>(
        within time: Duration,
        as rank: Rank,
        _ show: @escaping @Sendable () async throws -> Answer
    ) async throws -> Patience<Answer> {
        let (way, others) = AsyncStream.makeStream(of: Void.self)
        let isFirst = state.withLock { state in
            state.givesWay = (rank, others)
            return state.openCounts.allSatisfy { $0.key <= rank || $0.value == 0 }
        }
        defer { state.withLock { $0.givesWay = nil } }
        // The other question waits already, and comes before this one.
        guard isFirst else { return .gaveWay }
        return try await withThrowingTaskGroup(of: Patience<Answer>.self) { group in
            group.addTask { .answer(try await show()) }
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
