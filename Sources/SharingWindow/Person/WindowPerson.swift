package import FoundationEssentials
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
    /// The machines and phones that get something, or send something; nil if there cannot be any.
    package let receivers: WindowReceivers?
    /// Whether what is told and asked has nothing to do with the job: it is about phones that send to this machine.
    let isBeside: Bool

    /// Creates the person of a job.
    ///
    /// - Parameter questions: The order of the questions, if others ask in the same window.
    package init(
        in window: AppWindow,
        _ surroundings: WindowSurroundings,
        sends: Bool = false,
        asking questions: WindowQuestions? = nil
    ) {
        (self.window, self.surroundings, isBeside) = (window, surroundings, false)
        self.questions = questions ?? WindowQuestions(in: window)
        sender = sends ? WindowSender(in: window) : nil
        receivers = sends ? WindowReceivers(in: window) : nil
    }

    /// Creates the person of a job of a desk.
    init(at desk: WindowDesk, sends: Bool = false) {
        self.init(in: desk.window, desk.surroundings, sends: sends, asking: desk.questions)
    }

    /// Creates the person who is told and asked about phones beside the jobs of a desk.
    package init(besideJobsAt desk: WindowDesk) {
        (window, surroundings, isBeside) = (desk.window, desk.surroundings, true)
        (questions, sender) = (desk.questions.beside, nil)
        receivers = WindowReceivers(showing: desk.window.phones)
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
        case .stick(let happening): tell(happening)
        }
    }

    package func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
        guard let question = question as? any WindowQuestion<Asked.Answer> else { return question.defaultAnswer }
        return try await question.ask(self)
    }

    package func note(_ text: DisplayText) {
        if isBeside { window.phones.tell(AppWindowText(text)) } else { window.tell(AppWindowText(text)) }
    }

    /// Tells a result, perhaps that a region has come.
    package func emit(_ text: DisplayText, region: UUID? = nil) {
        let shown = AppWindowText(text)
        if isBeside { window.phones.tell(shown, region: region?.uuidString) } else { window.tell(result: shown) }
    }

    /// Tells a problem that does not end the job.
    package func warn(_ error: any Error) { warn(ProblemReport(error, severity: .warning).windowText) }

    func warn(_ text: DisplayText) {
        let text = AppWindowText(text)
        if isBeside { window.phones.tell(text, isProblem: true) } else { window.tell(warning: text) }
    }

    /// Shows a status until the next call; nil for none.
    package func show(_ status: DisplayText?, fraction: Double? = nil) {
        let text = status.map { AppWindowText($0) }
        if isBeside { window.phones.show(text) } else { window.show(text, fraction: fraction) }
    }

    /// Asks for a line; an empty one stands for `usual`.
    package func line(_ question: DisplayText, usual: String = "") async throws -> String {
        let line = try await questions.ask { AppWindowQuestion(AppWindowText(question), usual: usual) }
        return line.allSatisfy(\.isWhitespace) ? usual : line
    }

    /// Asks for a line, or for the button beside it, in a question that gives way to others; nil for the button, or without an answer.
    func lineGivingWay(
        _ question: DisplayText,
        introduction: DisplayText? = nil,
        usual: String = "",
        isSecret: Bool = false,
        button: String,
        within time: Duration,
        as rank: QuestionTurns.Rank = .givingWay
    ) async throws -> String? {
        let line = try await questions.askGivingWay(within: time, as: rank) {
            var asked = AppWindowQuestion(
                AppWindowText(question),
                introduction: introduction.map { AppWindowText($0) },
                choices: [AppWindowQuestion.Choice(answer: AppWindowQuestion.noLine, name: button)],
                usual: usual
            )
            asked.isSecret = isSecret
            return asked
        }
        guard let line, line != AppWindowQuestion.noLine else { return nil }
        return line.allSatisfy(\.isWhitespace) ? usual : line
    }

    /// Asks a yes-or-no question that gives way to others; nil without an answer in time.
    func confirmGivingWay(
        introduction: DisplayText,
        _ question: DisplayText,
        within time: Duration
    ) async throws -> Bool? {
        let answer = try await questions.askGivingWay(within: time) { .yesOrNo(introduction, question) }
        return answer.map { $0 == AppWindowQuestion.yes }
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
    /// The answer that stands for no line: nobody can type it.
    static let noLine = "\u{1}"

    /// Creates a yes-or-no question.
    package static func yesOrNo(_ introduction: DisplayText?, _ question: DisplayText) -> AppWindowQuestion {
        AppWindowQuestion(AppWindowText(question), form: .yesOrNo, introduction: introduction.map { AppWindowText($0) })
    }
}
