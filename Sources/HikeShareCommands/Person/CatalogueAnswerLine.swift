import FoundationEssentials
import RegionSharing
import RegionStore
import SharingReports

/// An answer that was typed below the list of a catalogue.
enum CatalogueAnswerLine: Hashable, Sendable {
    /// These regions.
    case ids([UUID])
    case none
    /// This word is no answer.
    case unclear(String)

    /// Reads a line: numbers from 1 and ranges of them, names, `all` or `none`; an empty line stands for the usual answer.
    init(_ line: String, to offers: [CatalogueItem], usual: [UUID]) {
        let words = line.split { $0.isWhitespace || $0 == "," }.map { $0.lowercased() }
        switch words {
        case []:
            self = usual.isEmpty ? .none : .ids(usual)
        case ["all"], ["a"], ["y"], ["yes"]:
            self = .ids(offers.map(\.region.id))
        case ["none"], ["n"], ["no"], ["q"]:
            self = .none
        default:
            var ids: [UUID] = []
            for word in words {
                guard let range = Self.range(word, atMost: offers.count) else {
                    // A name may have several words.
                    let named = RegionStore.offered(offers.map(\.region), matching: line.trimmingSpaces)
                    self = named.count == 1 ? .ids(named.map(\.id)) : .unclear(word)
                    return
                }
                for number in range where !ids.contains(offers[number - 1].region.id) {
                    ids.append(offers[number - 1].region.id)
                }
            }
            self = .ids(ids)
        }
    }

    /// Reads `3` or `1-3`; nil for anything else, and for numbers that are not in the list.
    private static func range(_ word: String, atMost count: Int) -> ClosedRange<Int>? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first,
            let last = numbers.last, 1 <= first, first <= last, last <= count
        else { return nil }
        return first...last
    }
}

extension String {
    fileprivate var trimmingSpaces: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
