import FoundationEssentials
import RegionSharing
import RegionStore
import SharingReports
import Synchronization

/// The list of phones at the bottom of the terminal, and what is typed below it.
final class PhonesPrompt: Sendable {
    private struct State {
        var phones: [LocalSendPhone]
        /// The phone for which a region is picked, and the kind of file; nil while a phone is picked.
        var picked: (phone: LocalSendPhone, kind: DownloadKind?)?
        /// Why the last answer was not taken; empty if it was.
        var objection: DisplayText = ""
    }

    /// The number of rows that the list has at most.
    private static let maximumRows = 6

    private let regions: [RegionSummary]
    private let kinds: [UUID: [DownloadKind]]
    private let state: Mutex<State>

    init(_ phones: [LocalSendPhone], _ regions: [RegionSummary], _ kinds: [UUID: [DownloadKind]]) {
        (self.regions, self.kinds) = (regions, kinds)
        state = Mutex(State(phones: phones))
    }

    /// Other phones are there now.
    func change(to phones: [LocalSendPhone]) { state.withLock { $0.phones = phones } }

    /// Asks until there is an answer; nil at the end of the input.
    func answer(at console: Console) async throws -> PhonesAnswer? {
        while let line = try await console.askStanding({ self.text }) {
            if let answer = answer(to: line) { return answer }
            if line.allSatisfy(\.isWhitespace) { console.showOfferedCode() }
        }
        return nil
    }

    /// The list, with the question below it; empty without phones.
    var text: DisplayText {
        state.withLock { state in
            if let picked = state.picked { return regionText(for: picked.phone, state.objection) }
            guard !state.phones.isEmpty else { return state.objection }
            let shown = state.phones.prefix(Self.maximumRows)
            var lines: [DisplayText] = ["Phones nearby. To send the map to one, type its number or name."]
            lines.append(TextTable.render(shown.map { ["", "\($0.number)", $0.title] + $0.details }, trailing: [1]))
            let rest = state.phones.count - shown.count
            if rest > 0 { lines.append("  and \(rest) more, which you can name") }
            lines.append(state.objection.isEmpty ? examples(for: shown.first?.number ?? 1) : state.objection)
            return (lines + ["Phone: "]).joined(separator: "\n")
        }
    }

    /// What else can be typed: `Also: 2 osmand, mbtiles or gpx. To stop: stop 2`.
    private func examples(for number: Int) -> DisplayText {
        let words = Wording.list(otherWords).replacing(" and ", with: " or ")
        let other: DisplayText = otherWords.isEmpty ? "" : "For another file: \(number) \(words). "
        return "\(other)To stop: stop \(number)"
    }

    /// The words for files that some region has, but the usual one.
    private var otherWords: [String] {
        let words = regions.flatMap { (kinds[$0.id] ?? []).dropFirst().compactMap(\.typedWord) }
        return words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func regionText(for phone: LocalSendPhone, _ objection: DisplayText) -> DisplayText {
        let shown = regions.prefix(Self.maximumRows).enumerated()
        var lines: [DisplayText] = ["The map of which region for \(phone.title)?"]
        lines.append(TextTable.render(shown.map { ["", "\($0.offset + 1)", "\($0.element.name)"] }, trailing: [1]))
        let rest = regions.count - Self.maximumRows
        if rest > 0 { lines.append("  and \(rest) more, which you can name") }
        if !objection.isEmpty { lines.append(objection) }
        return (lines + ["Its number or name: "]).joined(separator: "\n")
    }

    /// Returns what a line means; nil if the person must type more, or something else.
    private func answer(to line: String) -> PhonesAnswer? {
        state.withLock { state in
            state.objection = ""
            if let picked = state.picked {
                state.picked = nil
                let region = Self.region(line, of: regions)
                guard let region else { return nil }
                return choice(picked.phone, region, picked.kind, &state)
            }
            switch PhonesAnswerLine(line, to: state.phones) {
            case .nothing: return nil
            case .stop(let phone): return .stop(phone)
            case .unclear(let word, let isAmbiguous):
                let quoted = DisplayText(quoting: word)
                state.objection =
                    isAmbiguous ? "\(quoted) is more than one phone." : "\(quoted) is no phone in this list."
                return nil
            case .send(let phone, let kind):
                guard let first = regions.first else { return nil }
                guard regions.count == 1 else {
                    state.picked = (phone, kind)
                    return nil
                }
                return choice(phone, first, kind, &state)
            }
        }
    }

    private func choice(
        _ phone: LocalSendPhone,
        _ region: RegionSummary,
        _ kind: DownloadKind?,
        _ state: inout State
    ) -> PhonesAnswer? {
        let kinds = kinds[region.id] ?? []
        guard let found = kind ?? kinds.first, kinds.contains(found) else {
            let word = kind?.typedWord ?? ""
            state.objection = "\(DisplayText(quoting: region.name)) has no file for this: \(word)"
            return nil
        }
        return .send(PhoneChoice(phone, region.id, found))
    }

    /// Reads the number of a region, its name, or how its name begins; nil if that is not one region.
    private static func region(_ line: String, of regions: [RegionSummary]) -> RegionSummary? {
        let text = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if let number = Int(text), regions.indices.contains(number - 1) { return regions[number - 1] }
        let (exact, key) = (regions.filter { $0.name.lowercased() == text.lowercased() }, text.lowercased())
        let named = exact.isEmpty ? regions.filter { $0.name.lowercased().hasPrefix(key) } : exact
        return named.count == 1 && !key.isEmpty ? named.first : nil
    }
}
