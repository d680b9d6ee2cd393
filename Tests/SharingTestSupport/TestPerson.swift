import PeerTestSupport
package import RegionSharing

/// A person who remembers what was told and asked, and answers as a test says.
package final class TestPerson: Person {
    private let answer: @Sendable (any Question) -> (any Sendable)?
    private let happenings = Locked<[Happening]>([])
    private let questions = Locked<[any Question]>([])

    /// What was told, in order.
    package var told: [Happening] { happenings.value }
    /// What was asked, in order.
    package var asked: [any Question] { questions.value }

    /// - Parameter answer: Returns the answer to a question; nil for that of nobody.
    package init(_ answer: @escaping @Sendable (any Question) -> (any Sendable)? = { _ in nil }) {
        self.answer = answer
    }

    package func tell(_ happening: Happening) { happenings.withLock { $0.append(happening) } }

    package func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
        questions.withLock { $0.append(question) }
        return answer(question) as? Asked.Answer ?? question.defaultAnswer
    }
}
