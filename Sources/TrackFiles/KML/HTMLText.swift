/// Descriptions in HTML as plain text.
enum HTMLText {
    private static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
        "deg": "°", "ndash": "–", "mdash": "—",
    ]
    private static let lines: Set = ["br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "table", "ul", "ol", "hr"]
    private static let hidden: Set = ["script", "style", "head"]

    /// Returns a text without its tags and entities, and how many pictures were in it.
    static func plain(_ text: String) -> (text: String, pictureCount: Int) {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var pictures = 0
        var hiddenBy: String?
        var index = 0
        // A bracket behind it closes no tag; looking for one again and again would take the square of the length.
        let lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), index < lastEnd, let tag = tag(bytes, from: index) {
                index = tag.end
                if let hider = hiddenBy {
                    if tag.isEnd, tag.name == hider { hiddenBy = nil }
                    continue
                }
                if hidden.contains(tag.name), !tag.isEnd { hiddenBy = tag.name }
                if tag.name == "img" { pictures += 1 }
                if lines.contains(tag.name), result.last != 0x0A { result.append(0x0A) }
                if tag.name == "td", tag.isEnd, result.last != 0x20 { result.append(0x20) }
                continue
            }
            if hiddenBy == nil {
                if bytes[index] == UInt8(ascii: "&"), let entity = entity(bytes, from: index) {
                    result += entity.text.utf8
                    index = entity.end
                    continue
                }
                result.append(bytes[index])
            }
            index += 1
        }
        return (String(decoding: result, as: UTF8.self), pictures)
    }

    /// Returns the tag or comment at an index; nil if there is none.
    private static func tag(_ bytes: [UInt8], from start: Int) -> (name: String, isEnd: Bool, end: Int)? {
        var index = start + 1
        let isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
        if isEnd { index += 1 }
        var name: [UInt8] = []
        while index < bytes.count, name.count < 20, isLetter(bytes[index]) || (!name.isEmpty && isDigit(bytes[index])) {
            name.append(bytes[index])
            index += 1
        }
        guard !name.isEmpty || (index < bytes.count && bytes[index] == UInt8(ascii: "!")) else { return nil }
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
        return (String(decoding: name, as: UTF8.self).lowercased(), isEnd, end + 1)
    }

    private static func entity(_ bytes: [UInt8], from start: Int) -> (text: String, end: Int)? {
        guard let end = bytes[(start + 1)...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = bytes[(start + 1)..<end]
        if name.first == UInt8(ascii: "#") {
            guard case .character(let scalar) = XMLReference(Array(name)) else { return nil }
            return (String(scalar), end + 1)
        }
        return entities[String(decoding: name, as: UTF8.self)].map { ($0, end + 1) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
