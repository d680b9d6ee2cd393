import RegionStore
import Sentences
import SharingReports

/// A name and a new one, as the words of a command line.
struct NewName: Equatable {
    /// The name, or the start of the id, of what gets another name.
    var current: String
    var new: String

    /// Divides words that were typed without quotation marks.
    ///
    /// Two words, or two texts in quotation marks, are the two names. Of more words, the first ones must be a name that exists:
    /// the whole name, or else a part of it.
    init(_ words: [String], example: DisplayText, isName: (_ text: String, _ isWhole: Bool) -> Bool) throws {
        let divisions = words.indices.dropFirst().map { index in
            NewName(current: words[..<index].joined(separator: " "), new: words[index...].joined(separator: " "))
        }
        let whole = divisions.filter { isName($0.current, true) }
        let possible = whole.isEmpty ? divisions.filter { isName($0.current, false) } : whole
        guard divisions.count == 1 || possible.count == 1 else {
            throw CommandError(
                .usage,
                "It is not clear which of these words belong to the new name.",
                remedy: "Put names of several words in quotation marks:",
                hints: [Hint(example)]
            )
        }
        self = divisions.count == 1 ? divisions[0] : possible[0]
    }

    private init(current: String, new: String) {
        self.current = current
        self.new = new
    }
}
