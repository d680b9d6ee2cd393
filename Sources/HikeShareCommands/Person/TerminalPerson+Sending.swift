import PeerCore
import RegionSharing
import RegionStore
import SharingReports

extension TerminalPerson {
    /// Tells what happens while regions are sent.
    func tell(_ happening: SendingHappening) {
        switch happening {
        case .leftOut, .missingRouting:
            if let warning = happening.warning { console.warn(ProblemReport(warning, severity: .warning)) }
        case .cutting(let region, let receiver, let bytes): work.show(region, receiver, bytes)
        case .outside(_, receiver: nil):
            if let note = happening.note { console.note("\(note) To send them:  \("--all-items", .command)") }
        case .listening(let facts): sender?.network.begin(facts)
        case .moved(let change): sender?.network.moved(change)
        case .advertised(let name, _):
            console.emitForPrograms(.advertised(name))
            if let note = happening.note { console.note(note) }
        case .unreachable(let receiver):
            console.emitForPrograms(receiver)
            console.note(receiver.text)
        case .invited(let question, let isWelcome):
            console.emitForPrograms(question)
            if isWelcome { console.note(question.announcement) }
        case .progress(let update): sender?.progress.show(update)
        case .sent(let facts): console.emit(facts)
        case .outside, .withheldPhotos, .renamed, .withdrawn, .changed, .served:
            if let note = happening.note { console.note(note) }
        }
    }
}

extension InvitationQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Answer {
        guard console.canHear else { return .no(.notNow) }
        if console.isAsking { console.note("\(peer.title) waits until you have answered.") }
        switch try await console.confirm(question, until: end, introduction: introduction(in:)) {
        case true?: return .yes
        case false?: return .no(console.canHear ? .byPerson : .notNow)
        case nil: return .no(.otherQuestions)
        }
    }
}
