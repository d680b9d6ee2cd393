/// A question in the window of the program.
package struct AppWindowQuestion: Encodable, Hashable, Sendable {
    /// A choice, such as a button.
    package struct Choice: Encodable, Hashable, Sendable {
        /// The answer that it stands for.
        package var answer: String
        package var name: String
        /// Further facts about it; empty if there are none.
        package var facts: String
        /// The number of bytes that it brings; nil if sizes do not matter.
        package var size: UInt64?

        package init(answer: String, name: String, facts: String = "", size: UInt64? = nil) {
            (self.answer, self.name, self.facts, self.size) = (answer, name, facts, size)
        }
    }

    /// How a question is answered.
    package enum Form: String, Encodable, Sendable {
        /// By a line, which is typed, or by one of the choices beside it.
        case line
        /// By a yes (`y`) or a no (`n`).
        case yesOrNo
        /// By one of the choices.
        case choice
        /// By a yes to all choices (`y`), a no (`n`), or the answers of some of the choices.
        case parts
    }

    package var form: Form
    package var text: AppWindowText
    /// The text above the question; nil for none.
    package var introduction: AppWindowText?
    /// The choices, if ``form`` has them.
    package var choices: [Choice]
    /// The line that an empty answer stands for; empty for none.
    package var usual: String
    /// A drawing beside the question; nil for none.
    package var drawing: AppWindowDrawing?
    /// What is said above it as long as it is asked; nil for nothing.
    package var notice: AppWindowText?
    /// Whether the line that was typed is not shown afterwards.
    package var isSecret = false
    /// Whether it has nothing to do with the job.
    package var isBeside = false

    package init(
        _ text: AppWindowText,
        form: Form = .line,
        introduction: AppWindowText? = nil,
        choices: [Choice] = [],
        usual: String = "",
        drawing: AppWindowDrawing? = nil
    ) {
        (self.text, self.form, self.introduction) = (text, form, introduction)
        (self.choices, self.usual, self.drawing) = (choices, usual, drawing)
    }

    /// The question with texts of limited length.
    var limited: AppWindowQuestion {
        var copy = self
        (copy.text, copy.introduction) = (text.limited, introduction?.limited)
        return copy
    }

    /// Returns how an answer reads in the window after it was given.
    func words(for answer: String) -> String {
        switch form {
        case .line where !choices.contains { $0.answer == answer }: isSecret ? "•••" : answer.isEmpty ? usual : answer
        case .choice, .line: choices.first { $0.answer == answer }?.name ?? answer
        case .yesOrNo: Self.yesOrNo(answer) ?? answer
        case .parts: Self.yesOrNo(answer) ?? names(of: answer)
        }
    }

    private static func yesOrNo(_ answer: String) -> String? { answer == "y" ? "Yes" : answer == "n" ? "No" : nil }

    /// Returns the names of the choices that an answer stands for, of many the first ones.
    private func names(of answer: String) -> String {
        let answers = Set(answer.split(separator: " ").map(String.init))
        let names = choices.filter { answers.contains($0.answer) }.map(\.name)
        guard !names.isEmpty else { return answer }
        let rest = names.count - Self.maximumNameCount
        return names.prefix(Self.maximumNameCount).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static let maximumNameCount = 5

    /// What stays in the window when it is answered: the first line of what stood above it, and the question itself.
    ///
    /// Digits that were compared, and the time to answer, mean nothing any more.
    var brief: AppWindowText {
        func lines(_ text: AppWindowText) -> [Substring] {
            text.blocks.compactMap(\.runs).flatMap { $0.map(\.text).joined().split(separator: "\n") }
        }
        let kept = [introduction.flatMap { lines($0).first }, lines(text).last]
        return AppWindowText(kept.compactMap { $0.map { .paragraph([AppWindowText.Run(String($0))]) } })
    }
}
