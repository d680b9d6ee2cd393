import PeerStorage

/// A reader of XML without document types, one event after the other.
///
/// Foundation's own parser traps on what a damaged file may hold (a processing instruction without content, a name that
/// is not UTF-8), and a file must never be able to end the program. GPX needs little of XML: this knows elements,
/// attributes, text, CDATA, comments, instructions, character references and the five entities that are always there.
struct XMLScanner {
    /// An event.
    enum Event {
        /// An element begins; its attributes are in ``XMLScanner/attributes``.
        case start(String)
        /// Text; ``XMLScanner/text(_:)`` returns it.
        case text(Text)
        /// The element that began last ends.
        case end
        /// The root element has ended, and so has the file.
        case finished
    }

    /// The range of a text in the file.
    struct Text {
        fileprivate var range: Range<Int>
        fileprivate var isRaw: Bool
    }

    /// The file is not well-formed.
    struct Malformed: Error {}

    /// Returns the next bytes of the file, in UTF-8 and cut anywhere; nil at its end.
    typealias Source = () throws -> [UInt8]?

    private static let leastLength = 64 * 1024

    private static let newline: UInt8 = 0x0A
    private static let maximumAttributeCount = 100
    // Names are compared and looked up, which takes the square of a long run of combining marks.
    private static let maximumNameLength = 200

    private let source: Source
    private let maximumLength: Int
    /// The part of the file in memory.
    private var bytes: [UInt8] = []
    private var isComplete = false
    private var index = 0
    /// The beginning of the current event.
    private var beginning = 0
    /// The number of lines that are no longer in memory, and the number of bytes of the last of them.
    private var lineCount = 0
    private var columnCount = 0
    private var open: [String] = []
    private var isEmptyElement = false
    private var hasRoot = false

    /// The attributes of the element that began last.
    private(set) var attributes: [String: String] = [:]

    /// Creates a scanner of valid UTF-8.
    ///
    /// - Parameters:
    ///   - maximumLength: The longest tag, text, comment or instruction, in bytes: about this much of the file is held.
    ///   - source: Returns the bytes.
    init(maximumLength: Int = 8 << 20, _ source: @escaping Source) {
        self.maximumLength = maximumLength
        self.source = source
    }

    /// Whether the current text is not a tag and only spaces have come before it.
    var isNoXML: Bool { !hasRoot && !matches("<", at: beginning) }

    /// Whether a document type stands where the root would.
    var isAtDocumentType: Bool { !hasRoot && matches("<!DOCTYPE", at: beginning) }

    /// The number of open elements.
    var depth: Int { open.count }

    /// The current line, from 1; counted on demand.
    var line: Int { 1 + lineCount + bytes[..<index].count { $0 == Self.newline } }

    /// The current column, in bytes, from 1.
    var column: Int {
        if let newline = bytes[..<index].lastIndex(of: Self.newline) { return index - newline }
        return columnCount + index + 1
    }

    /// Returns the next event.
    ///
    /// The text of earlier events is no longer available.
    ///
    /// - Throws: ``Malformed``, or the error of the source.
    mutating func next() throws -> Event {
        if isEmptyElement {
            isEmptyElement = false
            open.removeLast()
            return .end
        }
        if bytes.count - index < Self.leastLength, !isComplete { try load() }
        while true {
            let start = index
            do throws(Malformed) {
                if let event = try scan() { return event }
            } catch {
                // It may only be cut off.
                guard !isComplete, bytes.count - start < maximumLength else { throw error }
                index = start
            }
            if !isComplete { try load() }
        }
    }

    /// Lets go of what was read, and takes more of the file: twice as much as is left, so that a long text is not read again
    /// and again.
    private mutating func load() throws {
        let read = bytes[..<index]
        lineCount += read.count { $0 == Self.newline }
        if let newline = read.lastIndex(of: Self.newline) {
            columnCount = index - newline - 1
        } else {
            columnCount += index
        }
        bytes.removeSubrange(..<index)
        index = 0
        let wanted = min(max(Self.leastLength, bytes.count) + bytes.count, max(Self.leastLength, maximumLength))
        while bytes.count < wanted {
            guard let more = try source() else {
                isComplete = true
                return
            }
            bytes += more
        }
    }

    /// Returns what comes next; nil if more of the file is needed to tell.
    private mutating func scan() throws(Malformed) -> Event? {
        while true {
            beginning = index
            guard index < bytes.count else { break }
            if bytes[index] != 0x3C {
                let text = try scanText()
                if !open.isEmpty { return .text(text) }
            } else if starts("<!--") {
                try skip(4, until: "-->")
            } else if starts("<?") {
                try skip(2, until: "?>")
            } else if starts("<![CDATA[") {
                let start = index + 9
                try skip(9, until: "]]>")
                guard !open.isEmpty else { throw Malformed() }
                return .text(Text(range: start..<index - 3, isRaw: true))
            } else if starts("</") {
                index += 2
                let name = try scanName()
                skipSpace()
                guard name == open.last, take(0x3E) else { throw Malformed() }
                open.removeLast()
                return .end
            } else {
                return .start(try scanTag())
            }
        }
        guard isComplete else { return nil }
        guard hasRoot, open.isEmpty else { throw Malformed() }
        return .finished
    }

    /// Returns a text with its references resolved.
    func text(_ text: Text) throws(Malformed) -> String {
        try XMLReference.resolved(bytes[text.range], isRaw: text.isRaw)
    }

    private mutating func scanTag() throws(Malformed) -> String {
        guard !open.isEmpty || !hasRoot else { throw Malformed() }
        index += 1
        let name = try scanName()
        attributes.removeAll(keepingCapacity: true)
        while true {
            let hadSpace = skipSpace()
            if take(0x3E) { break }
            if take(0x2F) {
                guard take(0x3E) else { throw Malformed() }
                isEmptyElement = true
                break
            }
            guard hadSpace, attributes.count < Self.maximumAttributeCount else { throw Malformed() }
            let key = try scanName()
            skipSpace()
            guard take(0x3D) else { throw Malformed() }
            skipSpace()
            guard attributes.updateValue(try scanValue(), forKey: key) == nil else { throw Malformed() }
        }
        hasRoot = true
        open.append(name)
        return name
    }

    private mutating func scanValue() throws(Malformed) -> String {
        guard index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 else { throw Malformed() }
        let quote = bytes[index]
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != quote {
            guard bytes[index] != 0x3C, isAllowed(bytes[index]) else { throw Malformed() }
            index += 1
        }
        guard take(quote) else { throw Malformed() }
        return try XMLReference.resolved(bytes[start..<index - 1], isRaw: false)
    }

    private mutating func scanText() throws(Malformed) -> Text {
        let start = index
        var isBlank = true
        while index < bytes.count, bytes[index] != 0x3C {
            guard isAllowed(bytes[index]) else { throw Malformed() }
            if bytes[index] > 0x20 { isBlank = false }
            index += 1
        }
        // A text that goes on may not be cut in the middle of a reference.
        guard index < bytes.count || isComplete else { throw Malformed() }
        guard isBlank || !open.isEmpty else { throw Malformed() }
        return Text(range: start..<index, isRaw: false)
    }

    private mutating func scanName() throws(Malformed) -> String {
        let start = index
        loop: while index < bytes.count {
            switch bytes[index] {
            case 0x61...0x7A, 0x41...0x5A, 0x5F, 0x3A, 0x80...0xFF: break
            case 0x30...0x39, 0x2D, 0x2E: if index == start { break loop }
            default: break loop
            }
            index += 1
        }
        guard index > start, index - start <= Self.maximumNameLength else { throw Malformed() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 || byte == 0x09 || byte == Self.newline || byte == 0x0D
    }

    private func starts(_ mark: StaticString) -> Bool {
        matches(mark, at: index)
    }

    private func matches(_ mark: StaticString, at position: Int) -> Bool {
        guard bytes.count - position >= mark.utf8CodeUnitCount else { return false }
        for offset in 0..<mark.utf8CodeUnitCount where bytes[position + offset] != mark.utf8Start[offset] {
            return false
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, bytes[index] <= 0x20, isAllowed(bytes[index]) { index += 1 }
        return index > start
    }

    private mutating func skip(_ length: Int, until mark: StaticString) throws(Malformed) {
        var position = index + length
        while position < bytes.count {
            if matches(mark, at: position) {
                index = position + mark.utf8CodeUnitCount
                return
            }
            guard isAllowed(bytes[position]) else { throw Malformed() }
            position += 1
        }
        throw Malformed()
    }
}
