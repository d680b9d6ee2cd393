package import RegionSharing

extension LocalSendTrouble {
    /// What does not work, in a line.
    package var words: DisplayText {
        switch self {
        case .noMulticast: "This network does not let phones with LocalSend find this laptop, or the other way round."
        case .noNetwork: "Phones with LocalSend cannot be found: this laptop is not in a network with IPv4."
        case .port(let reason): "Phones with LocalSend cannot send to this laptop: \(reason)."
        }
    }

    /// The value in JSON.
    fileprivate var json: String {
        switch self {
        case .noMulticast: "noMulticast"
        case .noNetwork: "noNetwork"
        case .port: "port"
        }
    }
}

extension LocalSendHappening {
    /// The number of lines, and of characters, of a text that are shown.
    private static let (shownLines, shownCharacters) = (20, 2000)

    /// What a person reads of it, the same for every face; nil if it is told in another way.
    package var note: DisplayText? {
        switch self {
        case .trouble(let trouble): trouble.words
        case .doubt(let name, isChanged: true):
            """
            A device claims to be \(DisplayText(quoting: name)), which you know, and is another one than before, so nothing is sent to it.
            """
        case .doubt(let name, isChanged: false):
            "Several phones claim to be \(DisplayText(quoting: name)), so nothing is sent to them."
        case .text(let text, let phone): "\(phone.title) has sent a text:\(Self.lines(of: text))"
        case .link(_, let phone): "\(phone.title) has sent the share link of a sender."
        case .leftOut(let files, let phone): phone.leftOutText(files)
        case .stopped(let phone): "\(phone.title) has stopped, or is gone."
        case .listed, .phones, .sending: nil
        }
    }

    /// The lines of a text of a stranger, each of which is marked as such.
    private static func lines(of text: String) -> DisplayText {
        let lines = text.prefix(shownCharacters).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let shown = lines.prefix(shownLines).map { line -> DisplayText in "\n  | \(DisplayText(escaping: String(line)))"
        }
        let isCut = lines.count > shownLines || text.dropFirst(shownCharacters).isEmpty == false
        let more: DisplayText = isCut ? "\n  …" : ""
        return "\(shown.joined(separator: ""))\(more)"
    }
}

extension Report where Self == PlainReport {
    /// The name and the port under which phones see this machine.
    package static func listed(_ name: String, port: Int, isUsualPort: Bool) -> Self {
        let other: DisplayText = isUsualPort ? "" : " (on port \(port): another program has the usual one)"
        return Self(
            ["type": "localSend", "name": name, "port": port, "isUsualPort": isUsualPort],
            "Phones with LocalSend see this laptop as \(DisplayText(quoting: name))\(other)"
        )
    }

    /// The phones that are there.
    package static func phones(_ phones: [LocalSendPhone]) -> Self {
        let rows = phones.map { ["", "\($0.number)", $0.title] + $0.details }
        return Self(
            ["type": "phones", "phones": phones.map(\.json)],
            rows.isEmpty ? "" : TextTable.render(rows, trailing: [1])
        )
    }

    /// That phones are not found, or do not find this machine.
    package static func trouble(_ trouble: LocalSendTrouble) -> Self {
        Self(["type": "localSendTrouble", "reason": trouble.json], trouble.words)
    }
}
