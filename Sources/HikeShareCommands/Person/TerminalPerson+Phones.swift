import RegionSharing
import RegionStore
import SharingReports

extension TerminalPerson {
    /// Says what happens on the page for phones.
    func tell(_ happening: PhoneHappening) {
        switch happening {
        case .shown(let page): sender?.network.show(page)
        case .download(let download): sender?.progress.show(download)
        case .upload(let upload): sender?.progress.show(upload)
        case .examining(let file, let progress): sender?.progress.show(progress, ofExamining: file)
        case .unusable(let file):
            console.note(
                "\(file.sender) has sent a file that cannot be added, \(file.quotedName), and was told why."
            )
        case .unanswered(let file):
            console.note("There was no answer, so \(file.quotedName) from \(file.origin) was not added.")
        case .localSend(let happening): tell(happening)
        case .failed(let file, let error):
            console.note("\(file.quotedName) from \(file.origin) could not be added:")
            console.warn(ProblemReport(error, severity: .warning))
        }
    }
}

extension PersonalPageQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool {
        try await console.confirm(introduction: introduction, question)
    }
}

extension PhoneFileQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool? {
        try await console.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}

extension PhoneMapQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> MapReplacement.Decision? {
        let line = try await console.askGivingWay(introduction: introduction, replacement.question, within: patience)
        return line.map { replacement.answer($0) }
    }
}

extension PhoneFilesQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool? {
        try await console.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}

extension PhoneTextQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool? {
        try await console.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}

extension PhoneListQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool? {
        try await console.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}
