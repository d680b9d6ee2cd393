/// Texts for the window of the program, in which nobody types commands.
extension DisplayText {
    /// Other words for lines that name commands.
    private static let windowWords: [String: DisplayText] = [
        "Is 'hikeshare send' running on the other laptop?":
            "Is the other laptop sending? There, open hikeshare and choose “Send …” below a map.",
        "The share link that 'send' shows may still work:  hikeshare receive --link":
            "The share link that the sender shows may still work: choose “Other ways” and “I have a share link”.",
        "The share link that 'send' shows works without discovery:  hikeshare receive --link":
            "The share link that the sender shows works without discovery: choose “Other ways” and “I have a share link”.",
        "To resume:  hikeshare receive": "To resume, choose “Receive a map” again.",
        "Run 'hikeshare send' there, and use the link or the address that it shows then.":
            "Start sending again there, and use the link that is shown then.",
        ProgramRemedy.link: "Copy the whole share link that the sender shows, and paste it.",
    ]

    private static let bullet = "  - "

    /// The text without lines that have a command; lines that are known have other words.
    ///
    /// What peers and files say has no style, so it never takes a line away.
    var inWindow: DisplayText { filtered { _ in false } }

    /// The same for the advice of the program itself, whose lines also name commands and options without a style.
    var adviceInWindow: DisplayText { filtered { $0.contains("'hikeshare ") || $0.contains("--") } }

    private func filtered(_ isForTerminals: (String) -> Bool) -> DisplayText {
        var lines: [DisplayText] = []
        var start = 0
        for part in string.split(separator: "\n", omittingEmptySubsequences: false) {
            let end = start + part.utf8.count
            defer { start = end + 1 }
            let isItem = part.hasPrefix(Self.bullet)
            if let words = Self.windowWords[String(isItem ? part.dropFirst(Self.bullet.count) : part)] {
                lines.append(isItem ? "\(Self.bullet)\(words)" : words)
                continue
            }
            let line = slice(start..<end)
            let hasCommand = line.marks.contains { $0.kind == .style(.command) }
            if !hasCommand, !isForTerminals(line.string) { lines.append(line) }
        }
        return lines.joined(separator: "\n")
    }
}
