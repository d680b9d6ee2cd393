package import FoundationEssentials

extension UUID {
    /// Parses the 36-character form, upper or lower case; nil for anything else.
    ///
    /// Foundation's own parser also takes signs, spaces and `0x` where digits belong, so that many texts would name
    /// the same thing.
    package init?(canonical text: some StringProtocol) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ Hexadecimal.decode($0) != nil })
        else { return nil }
        self.init(uuidString: String(text))
    }
}
