import FoundationEssentials
import MapPages
import PeerCore
package import RegionSharing
import SharingReports

extension WindowPerson {
    /// Says what happens with phones that have LocalSend.
    package func tell(_ happening: LocalSendHappening) {
        switch happening {
        case .listed(let name, _, _): window.phones.list(as: name)
        case .trouble(let trouble): window.phones.show(trouble: AppWindowText(trouble.words))
        case .phones(let phones): sender?.phones.show(phones)
        case .sending(let transfer):
            sender?.phones.note(transfer)
            sender?.progress.show(transfer)
            receivers?.note { $0.note(transfer) }
            if transfer.isOver { note(transfer.windowText) }
        // They stay when the job ends, and a button of a job could not be used meanwhile.
        case .text(let text, let phone): window.phones.tell(AppWindowText(phone.says(text)))
        case .link(let link, _):
            if let words = happening.note { window.phones.tell(AppWindowText(words), link: link.text) }
        case .leftOut: if let words = happening.note { warn(words) }
        case .stopped, .doubt: if let words = happening.note { note(words) }
        }
    }
}

extension LocalSendPhone {
    /// The number of characters of a text that are shown.
    private static let shownCharacters = 8000

    /// What it has sent as a text, to copy.
    fileprivate func says(_ text: String) -> DisplayText {
        let lines = text.prefix(Self.shownCharacters).split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        )
        let shown = lines.map { DisplayText(escaping: String($0)) }.joined(separator: "\n")
        return "\(title) has sent a text:\n\(shown, .command)"
    }
}

extension PhonesQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> PhonesAnswer? {
        try await person.sender?.phones.answer(to: self)
    }
}

extension PhoneFilesQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool? {
        try await person.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}

extension PhoneTextQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool? {
        try await person.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}

extension PhoneListQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool? {
        try await person.confirmGivingWay(introduction: introduction, question, within: patience)
    }
}

extension PhonePINQuestion: WindowQuestion {
    private static let patience: Duration = .seconds(300)

    package func ask(_ person: WindowPerson) async throws -> String? {
        let line = try await person.lineGivingWay(
            question,
            isSecret: true,
            button: "Cancel",
            within: Self.patience
        )
        return line?.isEmpty == true ? nil : line
    }
}

extension PhoneNameQuestion: WindowQuestion {
    private static let patience: Duration = .seconds(300)

    package func ask(_ person: WindowPerson) async throws -> String? {
        try await person.lineGivingWay(
            "Its name:",
            introduction: introduction,
            usual: DisplayText(escaping: phone.name).string,
            button: "Do not remember it",
            within: Self.patience,
            as: .afterwards
        )
    }
}
