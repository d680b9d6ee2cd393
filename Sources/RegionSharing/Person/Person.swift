/// The one who watches what this machine shares, and decides about it: a person at a terminal or a window, or a program.
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
    /// Returns at once: the work does not wait.
    func tell(_ happening: Happening)

    /// Asks something, and waits for the answer.
    ///
    /// A question that is no longer of use is withdrawn: its task is cancelled.
    ///
    /// - Throws: `CancellationError` if the question was withdrawn.
    func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer
}
