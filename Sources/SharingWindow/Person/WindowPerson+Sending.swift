import MapPages
import PeerCore
package import RegionSharing
import RegionStore
import SharingReports

extension WindowPerson {
    /// Tells what happens while regions are sent.
    package func tell(_ happening: SendingHappening) {
        switch happening {
        case .leftOut, .missingRouting: if let warning = happening.warning { warn(warning) }
        case .cutting(let region, let receiver, let bytes):
            guard let (done, total) = bytes, total > 0 else { return show(nil) }
            let title: DisplayText =
                receiver.map { "Cutting \(region.name) for \($0.name)" } ?? "Cutting \(region.name)"
            show(
                "\(title)  \(Wording.percent(Double(done) / Double(total))) of \(Wording.size(UInt64(clamping: total)))"
            )
        case .listening(let facts): sender?.begin(facts, self)
        case .moved(let change): sender?.moved(change, self)
        case .invited(let question, let isWelcome):
            if isWelcome { note(question.announcement) }
            receivers?.note { $0.note(question, isWelcome: isWelcome) }
        case .progress(let update):
            sender?.progress.show(update)
            receivers?.note { $0.note(update) }
        case .sent(let facts):
            emit(facts.text(typed: false))
            receivers?.note { $0.note(facts) }
        case .outside, .withheldPhotos, .advertised, .renamed, .withdrawn, .unreachable, .changed, .served:
            if let words = happening.note { note(words) }
        }
    }
}

extension InvitationQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Answer {
        if person.questions.isOpen { person.note("\(peer.title) waits until you have answered.") }
        let answer = try await person.questions.ask(until: end) { .yesOrNo(introduction(in: $0), question) }
        return switch answer {
        case AppWindowQuestion.yes?: .yes
        case nil: .no(.otherQuestions)
        default: .no(.byPerson)
        }
    }
}
