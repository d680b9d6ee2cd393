import PeerTestSupport
import RegionSharing

/// A person who thinks about some questions until a test has an answer, and says yes to all others.
final class PatientPerson: Person {
    private struct State {
        var waiting: [Int: CheckedContinuation<Bool, any Error>] = [:]
        var count = 0
        var withdrawn = 0
        var told: [Happening] = []
    }

    private let thinks: @Sendable (any Question) -> Bool
    private let state = Locked(State())

    /// - Parameter thinks: Whether the person thinks about a question.
    init(_ thinks: @escaping @Sendable (any Question) -> Bool) { self.thinks = thinks }

    var isAsking: Bool { state.withLock { !$0.waiting.isEmpty } }
    /// The number of questions that were withdrawn.
    var withdrawnCount: Int { state.withLock { $0.withdrawn } }
    var told: [Happening] { state.withLock { $0.told } }

    func tell(_ happening: Happening) { state.withLock { $0.told.append(happening) } }

    /// Answers all open questions.
    func answer(_ answer: Bool) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }

    func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
        guard thinks(question) else { return true as? Asked.Answer ?? question.defaultAnswer }
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        let answer = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.waiting[id] = continuation }
                if Task.isCancelled { withdraw(id) }
            }
        } onCancel: {
            withdraw(id)
        }
        return answer as? Asked.Answer ?? question.defaultAnswer
    }

    private func withdraw(_ id: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: id)
            if continuation != nil { state.withdrawn += 1 }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
