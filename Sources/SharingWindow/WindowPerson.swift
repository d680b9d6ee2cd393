package import MapPages
package import RegionSharing
package import SharingReports

/// The person in front of the window, who answers by choosing, and types no commands.
package struct WindowPerson: Person {
    package let window: AppWindow
    package let surroundings: WindowSurroundings
    package let questions: WindowQuestions
    /// What is shown of a sender; nil for a receiver.
    package let sender: WindowSender?

    package init(in window: AppWindow, _ surroundings: WindowSurroundings, sends: Bool = false) {
        (self.window, self.surroundings) = (window, surroundings)
        sender = sends ? WindowSender(in: window) : nil
        questions = WindowQuestions(in: window)
    }

    package func tell(_ happening: Happening) {
        switch happening {
        case .problem(let error): warn(error)
        case .receiving(let happening): tell(happening)
        case .keeping(let happening): tell(happening)
        case .finding(let happening): tell(happening)
        case .networks(let happening): tell(happening)
        case .sending(let happening): tell(happening)
        case .phones(let happening): tell(happening)
        case .importing(let happening): tell(happening)
        // The window writes no sticks.
        case .stick: break
        }
    }

    package func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
        guard let question = question as? any WindowQuestion<Asked.Answer> else { return question.defaultAnswer }
        return try await question.ask(self)
    }

    /// Tells news.
    package func note(_ text: DisplayText) { window.tell(AppWindowText(text)) }

    /// Tells a result.
    package func emit(_ text: DisplayText) { window.tell(result: AppWindowText(text)) }

    /// Tells a problem that does not end the job.
    package func warn(_ error: any Error) {
        window.tell(warning: AppWindowText(ProblemReport(error, severity: .warning).windowText))
    }

    /// Shows what is going on until the next call; nil for nothing.
    package func show(_ status: DisplayText?, fraction: Double? = nil) {
        window.show(status.map { AppWindowText($0) }, fraction: fraction)
    }

    /// Asks for a line; an empty one stands for `usual`.
    package func line(_ question: DisplayText, usual: String = "") async throws -> String {
        let line = try await questions.ask { AppWindowQuestion(AppWindowText(question), usual: usual) }
        return line.allSatisfy(\.isWhitespace) ? usual : line
    }

    /// Asks a yes-or-no question; anything but a clear yes is a no.
    package func confirm(introduction: DisplayText? = nil, _ question: DisplayText) async throws -> Bool {
        try await questions.ask { .yesOrNo(introduction, question) } == AppWindowQuestion.yes
    }
}

extension AppWindowQuestion {
    /// The answer that stands for a yes, or for everything.
    package static let yes = "y"
    /// The answer that stands for a no, or for nothing.
    package static let no = "n"

    /// Creates a yes-or-no question.
    package static func yesOrNo(_ introduction: DisplayText?, _ question: DisplayText) -> AppWindowQuestion {
        AppWindowQuestion(
            AppWindowText(question),
            form: .yesOrNo,
            introduction: introduction.map { AppWindowText($0) }
        )
    }
}

/// A question that can be asked in the window.
package protocol WindowQuestion<Answer>: Question {
    /// Asks it in words, with buttons, boxes or a field.
    ///
    /// - Throws: `CancellationError` if the question was withdrawn.
    func ask(_ person: WindowPerson) async throws -> Answer
}
