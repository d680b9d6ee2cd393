package import Diagnosis

extension Finding {
    /// A finding and what to do, as one item of a list.
    package var hint: Hint { hint(adding: nil) }

    /// A finding and what to do, as one item of a list, with a further sentence between them.
    ///
    /// In the window it is without commands, and names no command of this program. A cause that something speaks against says so.
    package func hint(adding sentence: String?) -> Hint {
        let advice = FindingAdvice(for: self)
        func text(_ remedy: String?) -> DisplayText {
            DisplayText(escaping: [message, sentence, doubts, remedy].compactMap { $0 }.joined(separator: " "))
        }
        let typed = [text(advice.remedy)] + advice.commands.map { "      \($0, .command)" }
        return .typed(typed.joined(separator: "\n"), window: text(advice.window))
    }

    /// A finding and what to do, for a window that shows commands to copy, each in a line of its own.
    package var copied: DisplayText {
        let advice = FindingAdvice(for: self).copied
        let words = [message, doubts, advice.remedy].compactMap { $0 }.joined(separator: " ")
        let lines: [DisplayText] = [DisplayText(escaping: words)] + advice.commands.map { "\($0, .command)" }
        return lines.joined(separator: "\n")
    }

    /// A finding for programs.
    package var json: JSONObject {
        let advice = FindingAdvice(for: self)
        return [
            "type": "finding",
            "code": code.rawValue,
            "subject": subject.rawValue,
            "severity": severity.rawValue,
            "message": message,
            "for": speaksFor.isEmpty ? nil : speaksFor.map(\.words),
            "against": speaksAgainst.isEmpty ? nil : speaksAgainst.map(\.words),
            "remedy": advice.remedy.map { Wording.sentence($0, naming: advice.commands) },
            "commands": advice.commands.isEmpty ? nil : advice.commands,
            "interface": kind.interface,
            "port": kind.port,
        ]
    }
}

extension Finding.Kind {
    /// The port that a finding is about; nil for none.
    fileprivate var port: Int? { if case .firewallActive(_, let port) = self { port } else { place?.port } }
}
