import FoundationEssentials
import PeerCore
import RegionSharing
import RegionStore
import SharingReports
import Synchronization

extension TerminalPerson {
    /// Says what happens with phones that have LocalSend.
    func tell(_ happening: LocalSendHappening) {
        switch happening {
        case .listed(let name, let port, let isUsualPort):
            sender?.network.findsPhones()
            let report = PlainReport.listed(name, port: port, isUsualPort: isUsualPort)
            console.emitForPrograms(report)
            console.note(report.text)
        case .trouble(let trouble):
            let report = PlainReport.trouble(trouble)
            console.emitForPrograms(report)
            console.note(report.text)
        case .phones(let phones): console.emitForPrograms(.phones(phones))
        case .sending(let transfer): sender?.progress.show(transfer)
        case .link(let link, _):
            if let note = happening.note { console.note(note) }
            // As an argument, every user of this machine could see it.
            console.note("To receive from there, start  hikeshare receive --link  and paste:\n  \(link.text)")
        case .doubt, .text, .leftOut, .stopped: if let note = happening.note { console.note(note) }
        }
    }
}

extension PhonesQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> PhonesAnswer? {
        guard console.canAsk else { return nil }
        let list = PhonesPrompt(phones, regions, kinds)
        return try await withThrowingTaskGroup(of: PhonesAnswer?.self) { group in
            group.addTask { try await list.answer(at: console) }
            group.addTask { [later] in
                for await phones in later {
                    list.change(to: phones)
                    console.setStanding(list.text)
                }
                // The list ends with the question.
                while true { try await Task.sleep(for: .seconds(86_400)) }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

extension PhonePINQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> String? {
        let line = try await console.askGivingWay(introduction: question, "PIN: ", within: .seconds(300))
        let pin = line?.filter { !$0.isWhitespace } ?? ""
        return pin.isEmpty ? nil : pin
    }
}

extension PhoneNameQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> String? {
        let line = try await console.askGivingWay(
            introduction: introduction,
            "\(question) ",
            within: .seconds(300),
            as: .afterwards
        )
        guard let line else { return nil }
        let name = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // What is typed now may have been meant for the list of phones.
        guard !name.isEmpty else { return phone.name }
        let isAnswer = HikeShareCommands.Answer.isNo(line) || HikeShareCommands.Answer.isYes(line)
        return isAnswer || Int(name) != nil ? nil : name
    }
}
