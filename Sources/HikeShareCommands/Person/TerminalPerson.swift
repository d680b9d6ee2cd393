import RegionSharing
import SharingReports

/// The person at the terminal.
struct TerminalPerson: Person {
    let console: Console
    /// What is shown of a sender; nil before it sends.
    let sender: SenderDisplay?
    let work: CutDisplay

    init(_ console: Console, _ sender: SenderDisplay? = nil) {
        (self.console, self.sender) = (console, sender)
        work = CutDisplay(on: console)
    }

    func tell(_ happening: Happening) {
        switch happening {
        case .problem(let error): console.warn(ProblemReport(error, severity: .warning))
        case .receiving(let happening): tell(happening)
        case .keeping(let happening): tell(happening)
        case .finding(let happening): tell(happening)
        case .networks(let happening): tell(happening)
        case .sending(let happening): tell(happening)
        case .importing(let happening): tell(happening)
        case .stick(let happening): tell(happening)
        case .phones(let happening): tell(happening)
        }
    }

    func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
        guard let question = question as? any TerminalQuestion<Asked.Answer> else { return question.defaultAnswer }
        return try await question.ask(at: console)
    }
}

/// A question that can be asked at the terminal.
protocol TerminalQuestion<Answer>: Question {
    func ask(at console: Console) async throws -> Answer
}

extension Consent {
    /// Asks nothing with `--yes`; otherwise, asks the person at the console, if there is one.
    init(acceptsAll: Bool, at console: Console) {
        self = acceptsAll ? .everything : console.canAsk ? .person : .knownMachines
    }
}
