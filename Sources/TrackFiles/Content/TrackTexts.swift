import FoundationEssentials
import PeerStorage
package import RegionModel

/// Converts the texts and tables of a GPX file, and counts what is left out.
package struct TrackTexts {
    var leftOut = TrackOmissions()

    package init() {}

    /// Returns a name on one line, without spaces around it, and truncated to the maximum length.
    mutating func name(_ text: String) -> String {
        let whole = Self.joined(text)
        let line = Self.cut(whole, to: ModelLimits.maximumNameLength)
        if line.utf8.count < whole.utf8.count { leftOut[.longText] += 1 }
        return line
    }

    /// Returns the comment or note of an item that has one, and the texts that are kept beside it.
    package mutating func words(_ words: TrackContent.Words, hasNote: Bool) -> (note: String, words: ItemWords) {
        var kept = ItemWords()
        kept.symbol = short(words.symbol)
        kept.type = short(words.type)
        kept.color = short(words.color)
        kept.icon = short(words.icon)
        for link in words.links {
            guard let address = short(link.address) else { continue }
            kept.links.append(
                ItemLink(address: address, text: link.text.flatMap { short($0) }, type: link.type.flatMap { short($0) })
            )
        }
        let description = long(words.description)
        kept.comment = long(words.comment)
        guard hasNote else {
            kept.description = description
            return ("", kept)
        }
        guard let comment = kept.comment else { return (description ?? "", kept) }
        guard let description else { return (comment, kept) }
        guard description != comment else {
            kept.isCommentTwice = true
            return (comment, kept)
        }
        let room = ModelLimits.maximumTextLength - description.utf8.count - 1
        guard room > 0 else {
            leftOut[.longText] += 1
            kept.comment = nil
            return (description, kept)
        }
        let end = Self.cut(comment, to: room)
        if end.utf8.count < comment.utf8.count { leftOut[.longText] += 1 }
        kept.comment = end
        return (description + "\n" + end, kept)
    }

    /// Returns the texts of the points of a route; nil if there are none.
    mutating func pointTexts(_ points: [TrackContent.PointWords]) -> [PointTexts]? {
        var texts: [PointTexts] = []
        // The maximum length of a list of turns holds for this list, too.
        var room = ModelLimits.maximumTurnsLength - 2
        for point in points {
            var text = PointTexts(index: point.index)
            text.name = short(point.words.name)
            text.comment = long(point.words.comment)
            text.description = long(point.words.description)
            text.symbol = short(point.words.symbol)
            text.type = short(point.words.type)
            room -= [text.name, text.comment, text.description, text.symbol, text.type].reduce(100) {
                $0 + Self.lengthInJSON($1 ?? "")
            }
            guard room >= 0 else {
                leftOut[.pointText] += 1
                continue
            }
            texts.append(text)
        }
        return texts.isEmpty ? nil : texts
    }

    /// Returns the bytes of a table; nil if they are more than an item can hold, which is counted.
    mutating func encoded(_ table: TrackColumns, else kind: TrackOmissions.Kind) -> Data? {
        let bytes = table.encoded
        if bytes == nil { leftOut[kind] += 1 }
        return bytes
    }

    private mutating func short(_ text: String) -> String? { kept(text, ModelLimits.maximumNameLength) }

    private mutating func long(_ text: String) -> String? { kept(text, ModelLimits.maximumTextLength) }

    private mutating func kept(_ text: String, _ limit: Int) -> String? {
        let trimmed = text.trimmed
        let cut = Self.cut(trimmed, to: limit)
        if cut.utf8.count < trimmed.utf8.count { leftOut[.longText] += 1 }
        return cut.isEmpty ? nil : cut
    }

    // MARK: Text

    /// Returns a text on one line, without spaces around it, and truncated to the maximum length of a name.
    static func line(_ text: String) -> String { cut(joined(text), to: ModelLimits.maximumNameLength) }

    /// Truncates a text to a number of bytes.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var length = 0
        return String(
            text.unicodeScalars.prefix { scalar in
                length += UTF8.width(scalar)
                return length <= limit
            }
        )
    }

    private static func joined(_ text: String) -> String {
        text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    }

    private static func lengthInJSON(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}

extension String {
    /// Whether the text has only spaces and control characters.
    var isBlank: Bool { !utf8.contains { $0 > 0x20 } }

    /// The text without spaces around it.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
