import MapPages
package import RegionSharing
import RegionStore
import SharingReports

extension WindowPerson {
    /// Says what happens on the page for phones.
    package func tell(_ happening: PhoneHappening) {
        switch happening {
        case .shown(let page): sender?.show(page)
        case .download(let download):
            if download.state != .running { note(download.text) }
            sender?.progress.show(download)
            receivers?.note { $0.note(download) }
        case .upload(let upload):
            sender?.progress.show(upload)
            receivers?.note { $0.note(upload) }
        case .examining(let file, let progress): show(progress, of: "Examining \(file.quotedName)")
        case .unusable(let file):
            note("\(file.sender) has sent a file that cannot be added, \(file.quotedName), and was told why.")
        case .unanswered(let file):
            note("There was no answer, so \(file.quotedName) from \(file.origin) was not added.")
        case .localSend(let happening): tell(happening)
        case .failed(let file, let error):
            note("\(file.quotedName) from \(file.origin) could not be added:")
            warn(error)
        }
    }
}

extension PersonalPageQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool {
        try await person.confirm(introduction: introduction, question)
    }
}

extension PhoneFileQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool? {
        try await person.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}

extension PhoneMapQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> MapReplacement.Decision? {
        let question = replacement.windowQuestion(introduction: introduction)
        let answer = try await person.questions.askGivingWay(within: patience) { question }
        return answer.map { replacement.decision($0) ?? .add(name: nil) }
    }
}
