/// Whoever watches what this machine shares, and decides about it: at a terminal, in a window, or with a program.
///
/// What is told and asked are values. A person's words for them are its own, so the same reception can be followed in any language
/// and by any program.
///
/// ```swift
/// struct Silent: Person {
///     func tell(_ happening: Happening) {}
///     func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }
/// }
/// ```
public protocol Person: Sendable {
    /// Tells what has happened.
    ///
    /// Returns at once: what goes on does not wait for whoever is told.
    func tell(_ happening: Happening)

    /// Asks something, and waits for the answer.
    ///
    /// A question that is no longer of use is withdrawn: its task is cancelled.
    ///
    /// - Throws: `CancellationError` if the question was withdrawn.
    func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer
}

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
