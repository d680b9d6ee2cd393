import PeerCore
import PeerTestSupport
import RegionSharing

/// A person who remembers what was told and asked, and answers as a test says.
final class TestPerson: Person {
    private let answer: @Sendable (any Question) -> (any Sendable)?
    private let happenings = Locked<[Happening]>([])
    private let questions = Locked<[any Question]>([])

    /// What was told, in order.
    var told: [Happening] { happenings.value }
    /// What was asked, in order.
    var asked: [any Question] { questions.value }

    /// - Parameter answer: Returns the answer to a question; nil for that of nobody.
    init(_ answer: @escaping @Sendable (any Question) -> (any Sendable)? = { _ in nil }) { self.answer = answer }

    func tell(_ happening: Happening) { happenings.withLock { $0.append(happening) } }

    func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
        questions.withLock { $0.append(question) }
        return answer(question) as? Asked.Answer ?? question.defaultAnswer
    }
}

extension PeerServiceType {
    static let hikeshare = PeerServiceType(known: "hikeshare", defaultPort: 64_453)
}
