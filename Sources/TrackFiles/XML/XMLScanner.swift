/// A reader of XML without document types, one event after the other.
///
/// Foundation's own parser traps on what a damaged file may hold (a processing instruction without content, a name that
/// is not UTF-8), and a file must never be able to end the program. GPX needs little of XML: this knows elements,
/// attributes, text, CDATA, comments, instructions, character references and the five entities that are always there.
///
/// One piece of the file is in memory. Texts of any length come piece by piece; long values of attributes are cut.
struct XMLScanner {
    /// An event.
    enum Event {
        /// An element begins; its attributes are in ``XMLScanner/attributes``.
        case start(String)
        /// A piece of a text, cut anywhere, also within a character.
        case text(ArraySlice<UInt8>)
        /// The element that began last ends.
        case end
        /// The root element has ended, and so has the file.
        case finished
    }

    /// The file is not well-formed.
    struct Malformed: Error {}

    /// Returns the next bytes of the file, in UTF-8 and cut anywhere; nil at its end.
    typealias Source = () throws -> [UInt8]?

    /// The maximum length of the value of an attribute, in bytes.
    ///
    /// Longer values are cut here. No value that is kept may be this long, so a cut value never passes for a whole one.
    static let maximumValueLength = 4096

    private static let maximumAttributeCount = 100
    // Names are compared and looked up, which takes the square of a long run of combining marks.
    private static let maximumNameLength = 200

    /// The bytes of the file, and the place in it.
    private(set) var input: XMLInput
    private var open: [String] = []
    private var isEmptyElement = false
    private var isInCDATA = false
    /// Brackets in CDATA that turned out not to be its end.
    private var bracketCount = 0
    private var hasRoot = false

    /// The attributes of the element that began last.
    private(set) var attributes: [String: String] = [:]

    /// The name in a document type that stands where the root would; nil if there is none.
    private(set) var documentType: String?

    /// Whether something other than a tag stands where the root would.
    private(set) var isNoXML = true

    /// Creates a scanner of valid UTF-8.
    init(_ source: @escaping Source) { input = XMLInput(source) }

    /// The number of open elements.
    var depth: Int { open.count }

    /// Returns the next event.
    mutating func next() throws -> Event {
        if isEmptyElement {
            isEmptyElement = false
            open.removeLast()
            return .end
        }
        while true {
            if bracketCount > 0 {
                bracketCount -= 1
                return .text([XMLMark.rightBracket])
            }
            if isInCDATA {
                if let text = try characterData() { return .text(text) }
            } else if let byte = try input.peek() {
                if byte != XMLMark.less {
                    if let text = try text() { return .text(text) }
                } else if let event = try markup() {
                    return event
                }
            } else {
                guard hasRoot, open.isEmpty else { throw Malformed() }
                return .finished
            }
        }
    }
}

// MARK: Text

extension XMLScanner {
    /// Returns what comes next in a text; nil if it is nothing.
    private mutating func text() throws -> ArraySlice<UInt8>? {
        let byte = input.bytes[input.index]
        if byte == XMLMark.ampersand {
            guard !open.isEmpty else { throw Malformed() }
            return try input.reference()[...]
        }
        let plain = input.takePlain { $0 == XMLMark.less || $0 == XMLMark.ampersand }
        let text = try plain.isEmpty ? input.lineEnd(byte).map { [$0] } : plain
        guard open.isEmpty else { return text }
        guard text?.isBlank != false else { throw Malformed() }
        return nil
    }

    private mutating func characterData() throws -> ArraySlice<UInt8>? {
        guard let byte = try input.peek() else { throw Malformed() }
        let plain = input.takePlain { $0 == XMLMark.rightBracket }
        if !plain.isEmpty { return plain }
        guard byte == XMLMark.rightBracket else { return try input.lineEnd(byte).map { [$0] } }
        while try input.take(XMLMark.rightBracket) { bracketCount += 1 }
        if bracketCount >= 2, try input.take(XMLMark.greater) {
            bracketCount -= 2
            isInCDATA = false
        }
        return nil
    }
}

// MARK: Markup

extension XMLScanner {
    /// Reads a tag, or skips what is none.
    private mutating func markup() throws -> Event? {
        input.index += 1
        isNoXML = false
        if try input.take(XMLMark.exclamation) {
            try declaration()
            return nil
        }
        if try input.take(XMLMark.question) {
            try input.skip(until: XMLMark.question)
            return nil
        }
        guard try input.take(XMLMark.slash) else { return .start(try tag()) }
        let name = try name()
        try input.skipSpace()
        guard name == open.last, try input.take(XMLMark.greater) else { throw Malformed() }
        open.removeLast()
        return .end
    }

    private mutating func declaration() throws {
        if try input.take(XMLMark.hyphen) {
            guard try input.take(XMLMark.hyphen) else { throw Malformed() }
            return try input.skipComment()
        }
        if try input.take(XMLMark.leftBracket) {
            for mark in "CDATA[".utf8 { guard try input.take(mark) else { throw Malformed() } }
            guard !open.isEmpty else { throw Malformed() }
            isInCDATA = true
            return
        }
        if !hasRoot, try name().uppercased() == "DOCTYPE" {
            try input.skipSpace()
            documentType = ""
            documentType = try name()
        }
        throw Malformed()
    }

    private mutating func tag() throws -> String {
        guard !open.isEmpty || !hasRoot else { throw Malformed() }
        let name = try name()
        attributes.removeAll(keepingCapacity: true)
        while true {
            let hadSpace = try input.skipSpace()
            if try input.take(XMLMark.greater) { break }
            if try input.take(XMLMark.slash) {
                guard try input.take(XMLMark.greater) else { throw Malformed() }
                isEmptyElement = true
                break
            }
            guard hadSpace else { throw Malformed() }
            let key = try self.name()
            try input.skipSpace()
            guard try input.take(XMLMark.equal) else { throw Malformed() }
            try input.skipSpace()
            let value = try value()
            guard attributes.count < Self.maximumAttributeCount || attributes[key] != nil else { continue }
            guard attributes.updateValue(value, forKey: key) == nil else { throw Malformed() }
        }
        hasRoot = true
        open.append(name)
        return name
    }

    private mutating func value() throws -> String {
        guard let quote = try input.peek(), quote == XMLMark.quotation || quote == XMLMark.apostrophe else {
            throw Malformed()
        }
        input.index += 1
        var value: [UInt8] = []
        func append(_ more: some Collection<UInt8>) {
            value += more.prefix(max(0, Self.maximumValueLength - value.count))
        }
        while let byte = try input.peek() {
            let plain = input.takePlain { $0 == quote || $0 == XMLMark.less || $0 == XMLMark.ampersand }
            if !plain.isEmpty {
                append(plain)
            } else if byte == quote {
                input.index += 1
                return String(decoding: value, as: UTF8.self)
            } else if byte == XMLMark.less {
                throw Malformed()
            } else if byte == XMLMark.ampersand {
                append(try input.reference())
            } else if let end = try input.lineEnd(byte) {
                append([end])
            }
        }
        throw Malformed()
    }

    private mutating func name() throws -> String {
        var name: [UInt8] = []
        while let byte = try input.peek(), XMLMark.isName(byte, isFirst: name.isEmpty) {
            guard name.count < Self.maximumNameLength else { throw Malformed() }
            name.append(byte)
            input.index += 1
        }
        guard !name.isEmpty else { throw Malformed() }
        return String(decoding: name, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Whether a text has only spaces and control characters.
    var isBlank: Bool { !contains { $0 > 0x20 } }
}
