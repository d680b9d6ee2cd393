/// Plain text of texts that may be HTML, as the attributions of maps often are.
enum PlainText {
    /// Returns the text of HTML in one line: without tags, and with the characters that references mean.
    ///
    /// A text without tags and references is returned unchanged.
    static func text(ofHTML html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
        var text = ""
        var rest = html[...]
        while let character = rest.first {
            if character == "<", let tag = tag(rest) {
                if tag.isBreak { text.append(" ") }
                rest = rest[tag.end...]
            } else if character == "&", let reference = reference(rest) {
                text.append(reference.character)
                rest = rest[reference.end...]
            } else {
                text.append(character)
                rest.removeFirst()
            }
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The elements between which a browser begins a line.
    private static let breaks: Set<Substring> = ["br", "div", "li", "p", "tr"]

    /// Returns the end of the tag or comment with which a text begins; nil if it begins with something else.
    private static func tag(_ text: Substring) -> (end: String.Index, isBreak: Bool)? {
        let inner = text.dropFirst()
        guard let first = inner.first, first.isLetter || first == "/" || first == "!",
            let end = inner.firstIndex(of: ">")
        else { return nil }
        let name = inner.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
        return (inner.index(after: end), breaks.contains(name[...]))
    }

    private static let characters: [Substring: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "ndash": "–",
        "mdash": "—",
    ]

    private static let longestReference = 10

    /// Returns the character that the reference means with which a text begins; nil if it begins with something else.
    private static func reference(_ text: Substring) -> (character: Character, end: String.Index)? {
        let name = text.dropFirst().prefix(longestReference).prefix { $0 != ";" }
        guard name.endIndex < text.endIndex, text[name.endIndex] == ";" else { return nil }
        let end = text.index(after: name.endIndex)
        if let character = characters[name] { return (character, end) }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { (Character($0), end) }
    }
}
