import FoundationEssentials

/// A text that a person types to select a region.
struct RegionQuery {
    // A shorter text is more likely a word than the beginning of an id.
    private static let shortestID = 4

    private let text: String
    private let isExact: Bool

    init(_ text: String, isExact: Bool) {
        self.text = text.lowercased()
        self.isExact = isExact
    }

    /// Returns the matching regions: those with that name; else those whose id begins with the text; else, unless the match must
    /// be exact, those whose name begins with it; else those with a word in the name that begins with it.
    func matches(_ regions: [RegionSummary]) -> [RegionSummary] {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        for isMeant in isExact ? [isName, isStartOfID] : [isName, isStartOfID, isStartOfName, isStartOfWord] {
            let found = regions.filter(isMeant)
            guard found.isEmpty else { return found }
        }
        return []
    }

    private func isName(of region: RegionSummary) -> Bool {
        region.name.lowercased() == text
    }

    private func isStartOfID(of region: RegionSummary) -> Bool {
        text.utf8.count >= Self.shortestID && region.id.uuidString.lowercased().hasPrefix(text)
    }

    private func isStartOfName(of region: RegionSummary) -> Bool {
        region.name.lowercased().hasPrefix(text)
    }

    private func isStartOfWord(of region: RegionSummary) -> Bool {
        let name = region.name.lowercased()
        return name.indices.contains { start in
            let isStart = start == name.startIndex || !Self.isOfWord(name[name.index(before: start)])
            return isStart && Self.isOfWord(name[start]) && name[start...].hasPrefix(text)
        }
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }
}
