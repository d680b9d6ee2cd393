/// The bytes of an XML file, one piece after the other.
struct XMLInput {
    private let source: XMLScanner.Source
    /// The piece of the file in memory.
    private(set) var bytes: [UInt8] = []
    /// The index of the next byte.
    var index = 0
    /// The number of lines in earlier pieces, and the number of bytes of the last of them.
    private var lineCount = 0
    private var columnCount = 0

    /// The number of characters that XML does not allow, which are left out.
    private(set) var badCharacterCount = 0

    /// Whether the file has no more bytes; known when they were asked for.
    private(set) var isAtEnd = false

    init(_ source: @escaping XMLScanner.Source) { self.source = source }

    /// The current line, from 1; counted on demand.
    var line: Int { 1 + lineCount + bytes[..<index].count { $0 == XMLMark.lineFeed } }

    /// The current column, in bytes, from 1.
    var column: Int {
        if let newline = bytes[..<index].lastIndex(of: XMLMark.lineFeed) { return index - newline }
        return columnCount + index + 1
    }

    /// Returns the next byte, which stays the next one; nil at the end of the file.
    mutating func peek() throws -> UInt8? {
        if index < bytes.count { return bytes[index] }
        while index == bytes.count {
            guard let more = try source() else {
                isAtEnd = true
                return nil
            }
            lineCount += bytes.count { $0 == XMLMark.lineFeed }
            if let newline = bytes.lastIndex(of: XMLMark.lineFeed) {
                columnCount = bytes.count - newline - 1
            } else {
                columnCount += bytes.count
            }
            bytes = more
            index = 0
        }
        return bytes[index]
    }

    mutating func take(_ byte: UInt8) throws -> Bool {
        guard try peek() == byte else { return false }
        index += 1
        return true
    }

    @discardableResult
    mutating func skipSpace() throws -> Bool {
        var hadSpace = false
        while let byte = try peek(), XMLMark.isSpace(byte) {
            hadSpace = true
            index += 1
        }
        return hadSpace
    }

    /// Skips the rest of an instruction.
    mutating func skip(until mark: UInt8) throws {
        var last: UInt8 = 0
        while let byte = try peek() {
            index += 1
            if last == mark, byte == XMLMark.greater { return }
            last = byte
        }
        throw XMLScanner.Malformed()
    }

    mutating func skipComment() throws {
        var hyphenCount = 0
        while let byte = try peek() {
            index += 1
            if hyphenCount >= 2, byte == XMLMark.greater { return }
            hyphenCount = byte == XMLMark.hyphen ? hyphenCount + 1 : 0
        }
        throw XMLScanner.Malformed()
    }

    // MARK: Characters

    /// Takes characters that stand for themselves, up to a mark or the end of the piece in memory.
    mutating func takePlain(_ isMark: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, !isMark(bytes[index]), XMLMark.isPlain(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    /// Takes a carriage return or a character that is not allowed; returns what stands for it.
    mutating func lineEnd(_ byte: UInt8) throws -> UInt8? {
        index += 1
        if byte == XMLMark.carriageReturn { return try peek() == XMLMark.lineFeed ? nil : XMLMark.lineFeed }
        badCharacterCount += 1
        return nil
    }

    /// Returns what a reference stands for.
    ///
    /// Some programs write a character as two references, one for each half of it in UTF-16. An ampersand without a reference stays
    /// as it is written.
    mutating func reference() throws -> [UInt8] {
        var high: UInt32?
        while true {
            index += 1
            var name: [UInt8] = []
            while name.count < XMLReference.maximumLength, let byte = try peek(), XMLReference.isPart(byte) {
                name.append(byte)
                index += 1
            }
            let isWhole = try take(XMLMark.semicolon)
            let reference = isWhole ? XMLReference(name) : .unknown
            if case .surrogate(let half) = reference {
                if let first = high, let scalar = XMLReference.joined(first, half) { return Array(String(scalar).utf8) }
                if high != nil { badCharacterCount += 1 }
                guard XMLReference.isHigh(half), try peek() == XMLMark.ampersand else {
                    badCharacterCount += 1
                    return []
                }
                high = half
                continue
            }
            if high != nil { badCharacterCount += 1 }
            switch reference {
            case .character(let scalar): return Array(String(scalar).utf8)
            case .unknown: return [XMLMark.ampersand] + name + (isWhole ? [XMLMark.semicolon] : [])
            case .notAllowed, .surrogate:
                badCharacterCount += 1
                return []
            }
        }
    }
}
