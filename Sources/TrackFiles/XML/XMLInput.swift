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

    init(_ source: @escaping XMLScanner.Source) {
        self.source = source
    }

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
    mutating func takePlain(_ isMark: (UInt8) -> Bool) -> Range<Int> {
        let start = index
        while index < bytes.count, !isMark(bytes[index]), XMLMark.isPlain(bytes[index]) { index += 1 }
        return start..<index
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
    /// Some programs write a character as two references, one for each half of it in UTF-16. What is no reference stays as it
    /// is written.
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

/// An encoding that has one byte for each character: what old programs wrote.
///
/// These are tables of our own, because Foundation's bring the data of ICU with them, which is most of the program.
struct ByteEncoding {
    /// Western Europe: bytes that are not UTF-8 are most often this.
    static let windows1252 = ByteEncoding(
        """
        €.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
        àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """
    )

    /// The encodings, by the names that XML declarations have for them, in small letters.
    static let named: [String: ByteEncoding] = [
        "iso-8859-1": isoLatin1, "latin1": isoLatin1, "iso-8859-2": isoLatin2, "windows-1250": windows1250,
        "windows-1251": windows1251, "windows-1252": windows1252, "windows-1253": windows1253,
        "windows-1254": windows1254,
    ]

    private static let isoLatin1 = ByteEncoding("")

    private static let isoLatin2 = ByteEncoding(
        """
        \u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """
    )

    private static let windows1250 = ByteEncoding(
        """
        €.‚.„…†‡.‰Š‹ŚŤŽŹ.‘’“”•–—.™š›śťžź\
        \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """
    )

    private static let windows1251 = ByteEncoding(
        """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—.™љ›њќћџ\
        \u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї\
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
        абвгдежзийклмнопрстуфхцчшщъыьэюя
        """
    )

    private static let windows1253 = ByteEncoding(
        """
        €.‚ƒ„…†‡.‰.‹.....‘’“”•–—.™.›....\
        \u{A0}΅Ά£¤¥¦§¨©.«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏ\
        ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ.ΣΤΥΦΧΨΩΪΫάέήί\
        ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ.
        """
    )

    private static let windows1254 = ByteEncoding(
        """
        €.‚ƒ„…†‡ˆ‰Š‹Œ....‘’“”•–—˜™š›œ..Ÿ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß\
        àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ
        """
    )

    /// The characters of all bytes; nil for a byte that has none.
    private let characters: [Unicode.Scalar?]

    /// Creates an encoding.
    ///
    /// - Parameter table: The characters of the last bytes, with a dot for a byte that has none. The bytes before them have the
    ///   characters of the same numbers.
    private init(_ table: String) {
        let last = table.unicodeScalars.map { $0 == "." ? nil : $0 }
        characters = (0...255).prefix(256 - last.count).map { Unicode.Scalar($0 as UInt8) } + last
    }

    /// The character of a byte; nil if it has none.
    subscript(byte: UInt8) -> Unicode.Scalar? { characters[Int(byte)] }

    /// Returns a text in UTF-8.
    ///
    /// A byte without a character becomes one that XML does not allow, so that the scanner leaves it out and counts it.
    func utf8(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes { text += (self[byte] ?? "\0").utf8 }
        return text
    }
}
