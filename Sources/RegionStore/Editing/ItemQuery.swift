import FoundationEssentials
import PeerProtocol
import RegionModel

/// A text that a person types to select an item of a region.
package struct ItemQuery {
    private static let shortestID = 4

    private let text: String

    package init(_ text: String) { self.text = text.lowercased() }

    /// Returns the matching items: those with that name; else the one with that number; else those whose id begins with the
    /// text.
    package func matches(_ items: [ItemDescription]) -> [ItemDescription] {
        first(of: [isName, isNumber, isStartOfID], items) { $0 }
    }

    /// Returns the matching ones of the items of several regions, in which a number has no meaning.
    func matches<Element>(_ elements: [Element], _ item: (Element) -> ItemDescription) -> [Element] {
        first(of: [isName, isStartOfID], elements, item)
    }

    /// Returns the matching items as ``matches(_:)``, or else those with the text in their names.
    ///
    /// For what nothing is changed or removed by.
    package func matchesPartly(_ items: [ItemDescription]) -> [ItemDescription] {
        first(of: [isName, isNumber, isStartOfID, { isPart(of: $0.name) }], items) { $0 }
    }

    /// Returns the matching ones of the items of several regions, in which a number has no meaning, as ``matchesPartly(_:)``.
    package func matchesPartly<Element>(_ elements: [Element], _ item: (Element) -> ItemDescription) -> [Element] {
        first(of: [isName, isStartOfID, { isPart(of: $0.name) }], elements, item)
    }

    /// Whether a name has the text in it, whatever is between the letters: “Coma Pedrosa” is in “Arinsal - Comapedrosa”.
    package func isPart(of name: String) -> Bool {
        let letters = Self.letters(text)
        return letters.count >= Self.shortestPart && Self.letters(name.lowercased()).contains(letters)
    }

    private static let shortestPart = 2

    private static func letters(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber } }

    private func first<Element>(
        of rules: [(ItemDescription) -> Bool],
        _ elements: [Element],
        _ item: (Element) -> ItemDescription
    ) -> [Element] {
        for isMeant in rules {
            let found = elements.filter { isMeant(item($0)) }
            guard found.isEmpty else { return found }
        }
        return []
    }

    private func isName(of item: ItemDescription) -> Bool { !text.isEmpty && item.name.lowercased() == text }

    private func isNumber(of item: ItemDescription) -> Bool {
        text == "\(item.number)" || text == "#\(item.number)"
    }

    private func isStartOfID(of item: ItemDescription) -> Bool {
        text.utf8.count >= Self.shortestID && item.id.uuidString.lowercased().hasPrefix(text)
    }
}
