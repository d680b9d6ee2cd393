/// Something that a person decides.
///
/// A question has the facts, and no words.
///
/// ```swift
/// func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
///     if question is OwnEditsQuestion, let yes = true as? Asked.Answer { return yes }
///     return question.defaultAnswer
/// }
/// ```
public protocol Question: Sendable {
    /// What the person answers.
    associatedtype Answer: Sendable

    /// The answer of a person who does not know the question: the one that changes nothing.
    var defaultAnswer: Answer { get }
}
