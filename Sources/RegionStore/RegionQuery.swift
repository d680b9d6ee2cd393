import FoundationEssentials

/// What a person writes to mean a region.
struct RegionQuery {
    // Fewer digits are more likely a word.
    private static let shortestID = 4

    private let text: String
    private let isExact: Bool

    init(_ text: String, isExact: Bool) {
        self.text = text.lowercased()
        self.isExact = isExact
    }

    /// Returns the regions that are meant: those of that name, else those whose id begins so, else, unless that is not
    /// enough, those whose name begins so, else those with a word in the name that does.
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
