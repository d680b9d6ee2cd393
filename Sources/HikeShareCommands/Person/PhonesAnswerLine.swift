import FoundationEssentials
import RegionSharing
import RegionStore
import SharingReports

/// An answer that was typed below the list of phones.
enum PhonesAnswerLine: Hashable, Sendable {
    /// Nothing was typed.
    case nothing
    /// A phone gets a file; nil for the usual one.
    case send(LocalSendPhone, DownloadKind?)
    /// What a phone gets is stopped.
    case stop(LocalSendPhone)
    /// No phone in the list is meant, or several are.
    case unclear(String, isAmbiguous: Bool)

    /// The word before a phone that stops what it gets.
    private static let stopWord = "stop"

    /// Reads a line: the number of a phone, its name, or how its name begins, then a word for a file; or `stop` before the phone.
    ///
    /// A phone has any name that it likes, such as `stop 1`. So a number always means the phone with this number, and a line that can
    /// mean two things means none.
    init(_ line: String?, to phones: [LocalSendPhone]) {
        let words = (line ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, let last = words.last else {
            self = .nothing
            return
        }
        let stops = words.count > 1 && first.lowercased() == Self.stopWord
        let kind = words.count > 1 ? DownloadKind(typed: last) : nil
        if let numbered = Self.numbered(words, stops: stops, kind, of: phones) {
            self = numbered
            return
        }
        let whole = Self.phones(words[...], of: phones)
        let stopped = stops ? Self.phones(words.dropFirst(), of: phones) : []
        let given = kind == nil ? [] : Self.phones(words.dropLast(), of: phones)
        var meanings: [Self] = []
        if whole.count == 1 { meanings.append(.send(whole[0], nil)) }
        if stopped.count == 1 { meanings.append(.stop(stopped[0])) }
        if given.count == 1 { meanings.append(.send(given[0], kind)) }
        guard meanings.isEmpty else {
            let words = words.joined(separator: " ")
            self = meanings.count == 1 ? meanings[0] : .unclear(words, isAmbiguous: true)
            return
        }
        self =
            stops
            ? Self.unclear(words.dropFirst(), stopped)
            : kind == nil ? Self.unclear(words[...], whole) : Self.unclear(words.dropLast(), given)
    }

    /// Reads a line whose phone is a number; nil for any other line.
    private static func numbered(
        _ words: [String],
        stops: Bool,
        _ kind: DownloadKind?,
        of phones: [LocalSendPhone]
    ) -> Self? {
        guard words.count <= 2, let number = Int(words[stops ? 1 : 0]), words.count == 1 || stops || kind != nil else {
            return nil
        }
        guard let phone = phones.first(where: { $0.number == number }) else {
            return .unclear("\(number)", isAmbiguous: false)
        }
        return stops ? .stop(phone) : .send(phone, kind)
    }

    private static func unclear(_ words: ArraySlice<String>, _ named: [LocalSendPhone]) -> Self {
        .unclear(words.joined(separator: " "), isAmbiguous: named.count > 1)
    }

    /// The phones that words mean: by name, or else by the beginning of a name.
    private static func phones(_ words: ArraySlice<String>, of phones: [LocalSendPhone]) -> [LocalSendPhone] {
        let text = LocalSendPhone.key(of: words.joined(separator: " "))
        let exact = phones.filter { LocalSendPhone.key(of: $0.name) == text }
        return exact.isEmpty ? phones.filter { LocalSendPhone.key(of: $0.name).hasPrefix(text) } : exact
    }
}

extension DownloadKind {
    /// Reads the word that a person types for a kind of file; nil for anything else.
    init?(typed word: String) {
        guard let kind = Self.allCases.first(where: { $0.typedWord == word.lowercased() }) else { return nil }
        self = kind
    }
}
