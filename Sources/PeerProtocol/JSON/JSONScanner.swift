/// Scans JSON of peers and files before a decoder reads it, with one piece of the text in memory.
///
/// Decoders differ in what they accept: if a key appears twice, one takes the first value and another the last. They also need
/// much memory or time for some texts, such as 30 MB for a megabyte of brackets. Scanning takes time in proportion to the length
/// of the text. (Wire format, "JSON payloads".)
///
/// A scanner that has thrown an error cannot be used again.
package struct JSONScanner {
    /// Fills a buffer with the text from a position on; returns the number of bytes, 0 at the end of the text.
    package typealias Source = (_ buffer: UnsafeMutableRawBufferPointer, _ position: UInt64) throws -> Int

    /// Which numbers must be integers.
    enum Integers {
        /// All of them.
        case everywhere
        /// Those in the value of this key of the outermost object.
        case inValue(of: String)
        /// None.
        case nowhere
    }

    /// What is allowed in a text.
    package struct Rules: Sendable {
        var integers = Integers.nowhere
        var allowsDuplicateKeys = false
        var maximumDepth = 512
        /// Whether a limit on the number of values is a limit on keys and values.
        var countsKeys = false

        /// The rules for lists of items.
        package static let list = Rules(allowsDuplicateKeys: true, maximumDepth: 32, countsKeys: true)
    }

    /// What may still be copied.
    package struct Limits {
        /// The maximum length of the array to which values are copied, in bytes.
        var length: Int
        /// The maximum number of values that follow, by the rule ``Rules/countsKeys``.
        var valueCount: Int

        /// Creates limits.
        package init(length: Int, valueCount: Int) {
            self.length = length
            self.valueCount = valueCount
        }
    }

    /// The maximum length of a key as it is written, in bytes.
    ///
    /// A decoder puts keys into a dictionary, and Swift sorts the combining marks of a text before it compares it. That takes
    /// quadratic time: minutes for a key of a megabyte.
    static let maximumKeyLength = 1000

    private static let pieceLength = 64 * 1024

    private let rules: Rules
    private let source: Source
    private(set) var piece: [UInt8]
    var index = 0
    private(set) var end = 0
    // Of the first byte after the piece.
    private var position: UInt64 = 0
    private var depth = 0
    private var needsIntegers: Bool
    private var limits = Limits(length: 0, valueCount: 0)
    private var copied: [UInt8] = []
    // The index in the piece from which on bytes are to be copied; nil while none are.
    private var copyStart: Int?

    /// Creates a scanner.
    ///
    /// - `pieceLength`: The number of bytes that are in memory at a time.
    package init(_ rules: Rules, pieceLength: Int = Self.pieceLength, _ source: @escaping Source) {
        self.rules = rules
        self.source = source
        self.piece = [UInt8](repeating: 0, count: pieceLength)
        self.needsIntegers = if case .everywhere = rules.integers { true } else { false }
    }

    /// Creates a scanner of a text in memory.
    package init(_ text: some RandomAccessCollection<UInt8>, _ rules: Rules) {
        self.init(rules, pieceLength: min(text.count, Self.pieceLength)) { buffer, position in
            let rest = text.dropFirst(Int(clamping: position)).prefix(buffer.count)
            buffer.copyBytes(from: rest)
            return rest.count
        }
    }

    /// Checks a text that is one value.
    static func check(_ text: some RandomAccessCollection<UInt8>, _ rules: Rules, atMost valueCount: Int) throws {
        var scanner = JSONScanner(text, rules)
        scanner.limits.valueCount = valueCount
        try scanner.scanValue()
        guard try scanner.peekBehindSpace() == nil else { throw JSONFault.notJSON }
    }
}

// Reading piece by piece. Each function throws `JSONFault`, or the error of the source of the text.
extension JSONScanner {
    /// Skips spaces and returns the next byte without consuming it; nil at the end.
    package mutating func peekBehindSpace() throws -> UInt8? {
        while let byte = try peek() {
            guard byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return byte }
            index += 1
        }
        return nil
    }

    /// Skips spaces and consumes one expected character.
    package mutating func skip(_ mark: Unicode.Scalar) throws {
        guard try peekBehindSpace() == UInt8(ascii: mark) else { throw JSONFault.notJSON }
        index += 1
    }

    /// Reads an array or an object up to its end.
    ///
    /// - Throws: ``JSONFault``, or what `read` throws.
    package mutating func readElements(
        _ open: Unicode.Scalar,
        _ read: (_ scanner: inout JSONScanner) throws -> Void
    ) throws {
        let close = UInt8(ascii: open == "[" ? "]" : "}")
        try skip(open)
        guard depth < rules.maximumDepth else { throw JSONFault.tooDeep }
        depth += 1
        if try peekBehindSpace() != close {
            try read(&self)
            while try peekBehindSpace() == UInt8(ascii: ",") {
                index += 1
                try read(&self)
            }
        }
        guard try next() == close else { throw JSONFault.notJSON }
        depth -= 1
    }

    /// Copies a key and the colon behind it as they are written.
    ///
    /// - Returns: The key without escapes, in UTF-8.
    package mutating func copyKey(to bytes: inout [UInt8], _ limits: inout Limits) throws -> [UInt8] {
        var key: [UInt8] = []
        try copy(to: &bytes, &limits) { scanner in key = try scanner.readKey() }
        return key
    }

    /// Copies a value as it is written.
    package mutating func copyValue(to bytes: inout [UInt8], _ limits: inout Limits) throws {
        try copy(to: &bytes, &limits) { scanner in try scanner.scanValue() }
    }

    /// Skips a value, whatever its length.
    package mutating func skipValue(_ limits: inout Limits) throws {
        self.limits = limits
        try scanValue()
        limits = self.limits
    }

    private mutating func copy(
        to bytes: inout [UInt8],
        _ limits: inout Limits,
        _ scan: (_ scanner: inout JSONScanner) throws -> Void
    ) throws {
        _ = try peekBehindSpace()
        // What is copied is nested in what the decoder reads, not in the whole text.
        let outerDepth = depth
        depth = 0
        self.limits = limits
        copyStart = index
        swap(&copied, &bytes)
        try scan(&self)
        try keepCopy(upTo: index)
        swap(&copied, &bytes)
        copyStart = nil
        limits = self.limits
        depth = outerDepth
    }

    private mutating func keepCopy(upTo end: Int) throws {
        guard let start = copyStart else { return }
        guard copied.count + (end - start) <= limits.length else { throw JSONFault.tooLong }
        copied += piece[start..<end]
    }
}

// The grammar.
extension JSONScanner {
    // Calls itself for values in values: `maximumDepth` bounds the stack, as it does in the decoder.
    private mutating func scanValue() throws {
        try count()
        switch try peekBehindSpace() {
        case UInt8(ascii: "{"):
            var keys: Set<[UInt8]> = []
            try readElements("{") { scanner in
                let key = try scanner.readKey()
                if scanner.depth == 1, case .inValue(let strict) = scanner.rules.integers {
                    scanner.needsIntegers = key.elementsEqual(strict.utf8)
                }
                guard scanner.rules.allowsDuplicateKeys || keys.insert(key).inserted else {
                    throw JSONFault.duplicateKey
                }
                try scanner.scanValue()
            }
        case UInt8(ascii: "["): try readElements("[") { scanner in try scanner.scanValue() }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skip(word: "true")
        case UInt8(ascii: "f"): try skip(word: "false")
        case UInt8(ascii: "n"): try skip(word: "null")
        default: try scanNumber()
        }
    }

    private mutating func count() throws {
        limits.valueCount -= 1
        guard limits.valueCount >= 0 else { throw JSONFault.manyValues }
    }

    /// Reads a key and the colon behind it; returns the key without escapes.
    private mutating func readKey() throws -> [UInt8] {
        if rules.countsKeys { try count() }
        try skip("\"")
        var key: [UInt8] = []
        let start = offset
        while try readCharacter(to: &key) {
            guard offset - start <= Self.maximumKeyLength else { throw JSONFault.longKey }
        }
        try skip(":")
        return key
    }

    private mutating func scanNumber() throws {
        if try peek() == UInt8(ascii: "-") { index += 1 }
        // What follows a zero is no digit: then the number is at its end.
        if try peek() == UInt8(ascii: "0") { index += 1 } else { try skipDigits() }
        if try peek() == UInt8(ascii: ".") {
            guard !needsIntegers else { throw JSONFault.notInteger }
            index += 1
            try skipDigits()
        }
        guard let mark = try peek(), mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return }
        guard !needsIntegers else { throw JSONFault.notInteger }
        index += 1
        if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
        try skipDigits()
    }

    private mutating func skipDigits() throws {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard digits.contains(try next()) else { throw JSONFault.notJSON }
        while let byte = try peek(), digits.contains(byte) { index += 1 }
    }

    private mutating func skip(word: String) throws {
        for byte in word.utf8 {
            guard try next() == byte else { throw JSONFault.notJSON }
        }
    }
}

// The pieces of the text.
extension JSONScanner {
    /// The position of the next byte in the text.
    private var offset: UInt64 { position - UInt64(end - index) }

    private mutating func peek() throws -> UInt8? {
        if index == end { try load() }
        return index < end ? piece[index] : nil
    }

    mutating func next() throws -> UInt8 {
        guard let byte = try peek() else { throw JSONFault.notJSON }
        index += 1
        return byte
    }

    private mutating func load() throws {
        try keepCopy(upTo: end)
        if copyStart != nil { copyStart = 0 }
        let (source, position) = (source, position)
        end = try piece.withUnsafeMutableBytes { try source($0, position) }
        index = 0
        self.position += UInt64(end)
        // In other encodings, which decoders take too, every character of JSON has a zero byte.
        guard !piece[..<end].contains(0) else { throw JSONFault.notUTF8 }
    }
}
