import MapPages
import PeerCore

/// How a question is asked where a person does not type: in the window of the program.
struct QuestionForm: Sendable {
    /// How it is answered.
    var kind = AppWindowQuestion.Form.line
    /// The question without what to type; nil if it does not say that.
    var text: DisplayText?
    /// The choices.
    var choices: [AppWindowQuestion.Choice] = []
    /// The line that an empty answer stands for.
    var usual = ""
    /// What is drawn beside the question.
    var drawing: AppWindowDrawing?

    /// A question that is answered by a line.
    static let line = QuestionForm()

    /// Returns the question for the window.
    func question(_ introduction: DisplayText?, _ question: DisplayText) -> AppWindowQuestion {
        AppWindowQuestion(
            AppWindowText(text ?? question),
            form: kind,
            introduction: introduction.map { AppWindowText($0) },
            choices: choices,
            usual: usual,
            drawing: drawing
        )
    }
}
