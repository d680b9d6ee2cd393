import FoundationEssentials
import PeerStorage
package import RegionModel

/// Converts the texts and tables of a GPX file, and counts what is left out.
package struct GPXTexts {
    var leftOut = GPXLeftOut()

    /// Creates a conversion that has left out nothing.
    package init() {}

    /// Returns a name on one line, without spaces around it, and truncated to the maximum length.
    mutating func name(_ text: String) -> String {
        let whole = Self.joined(text)
        let line = Self.cut(whole, to: ModelLimits.maximumNameLength)
        if line.utf8.count < whole.utf8.count { leftOut.longTexts += 1 }
        return line
    }

    /// Returns the comment or note of an item, and the texts that are kept beside it.
    ///
    /// - Parameters:
    ///   - words: The texts of the file.
    ///   - hasNote: Whether the item has a comment or note of its own.
    /// - Returns: The comment or note, and the other texts.
    package mutating func words(_ words: GPXContent.Words, hasNote: Bool) -> (note: String, words: GPXWords) {
        var kept = GPXWords()
        kept.symbol = short(words.symbol)
        kept.type = short(words.type)
        kept.color = short(words.color)
        kept.icon = short(words.icon)
        for link in words.links {
            guard let address = short(link.address) else { continue }
            kept.links.append(
                GPXLink(address: address, text: link.text.flatMap { short($0) }, type: link.type.flatMap { short($0) })
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
            leftOut.longTexts += 1
            kept.comment = nil
            return (description, kept)
        }
        let end = Self.cut(comment, to: room)
        if end.utf8.count < comment.utf8.count { leftOut.longTexts += 1 }
        kept.comment = end
        return (description + "\n" + end, kept)
    }

    /// Returns the texts of the points of a route; nil if there are none.
    mutating func pointTexts(_ points: [GPXContent.PointWords]) -> [PointTexts]? {
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
                leftOut.pointTexts += 1
                continue
            }
            texts.append(text)
        }
        return texts.isEmpty ? nil : texts
    }

    /// Returns the bytes of a table; nil if they are more than an item can hold, which is counted.
    mutating func encoded(_ table: TrackColumns, else count: WritableKeyPath<GPXLeftOut, Int>) -> Data? {
        let bytes = table.encoded
        if bytes == nil { leftOut[keyPath: count] += 1 }
        return bytes
    }

    private mutating func short(_ text: String) -> String? { kept(text, ModelLimits.maximumNameLength) }

    private mutating func long(_ text: String) -> String? { kept(text, ModelLimits.maximumTextLength) }

    private mutating func kept(_ text: String, _ limit: Int) -> String? {
        let trimmed = Self.trimmed(text[...])
        let cut = Self.cut(trimmed, to: limit)
        if cut.utf8.count < trimmed.utf8.count { leftOut.longTexts += 1 }
        return cut.isEmpty ? nil : cut
    }

    // MARK: Text

    /// Returns a text on one line, without spaces around it, and truncated to the maximum length of a name.
    static func line(_ text: String) -> String {
        cut(joined(text), to: ModelLimits.maximumNameLength)
    }

    /// Truncates a text to a number of bytes.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var result = ""
        var length = 0
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            if length > limit { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func joined(_ text: String) -> String {
        text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    }

    private static func trimmed(_ text: Substring) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    private static func lengthInJSON(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}

/// The note of a waypoint or hike, which has the comment and the description of a file.
package enum GPXNote {
    /// Returns the comment and the description, from the note and the texts of its file.
    ///
    /// If the note was edited since, it is the description.
    package static func parts(of note: String, _ words: GPXWords?) -> (comment: String?, description: String?) {
        guard let comment = words?.comment, !comment.isEmpty else { return (nil, note) }
        let (all, end) = (Array(note.utf8), Array(comment.utf8))
        if all == end { return (comment, words?.isCommentTwice == true ? comment : nil) }
        guard all.count > end.count, all.suffix(end.count).elementsEqual(end),
            all[all.count - end.count - 1] == 0x0A
        else { return (nil, note) }
        return (comment, String(decoding: all.dropLast(end.count + 1), as: UTF8.self))
    }
}
