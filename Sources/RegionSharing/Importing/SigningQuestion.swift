/// Whether maps that a person imports are signed with their name from now on; nil without an answer.
///
/// Without one they are signed, and the person is told.
package struct SigningQuestion: Question {
    package var defaultAnswer: Bool? { nil }

    package init() {}
}
