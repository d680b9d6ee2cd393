import FoundationEssentials
import MapFiles
import PeerProtocol
import RegionModel

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

    /// Returns the matching elements, each of which has the name and the id of a region: those with that name; else those whose
    /// id begins with the text; else, unless the match must be exact, those whose name begins with it; else those with a word in
    /// the name that begins with it.
    func matches<Element>(_ elements: [Element], name: (Element) -> String, id: (Element) -> UUID) -> [Element] {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        let rules = isExact ? [isName, isStartOfID] : [isName, isStartOfID, isStartOfName, isStartOfWord]
        for isMeant in rules {
            let found = elements.filter { isMeant(name($0).lowercased(), id($0)) }
            guard found.isEmpty else { return found }
        }
        return []
    }

    private func isName(_ name: String, _ id: UUID) -> Bool { name == text }

    private func isStartOfID(_ name: String, _ id: UUID) -> Bool {
        text.utf8.count >= Self.shortestID && id.uuidString.lowercased().hasPrefix(text)
    }

    private func isStartOfName(_ name: String, _ id: UUID) -> Bool { name.hasPrefix(text) }

    private func isStartOfWord(_ name: String, _ id: UUID) -> Bool {
        name.indices.contains { start in
            let isStart = start == name.startIndex || !Self.isOfWord(name[name.index(before: start)])
            return isStart && Self.isOfWord(name[start]) && name[start...].hasPrefix(text)
        }
    }

    private static func isOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
