import FoundationEssentials

/// Checks that a peer's JSON is I-JSON (RFC 7493) before a decoder reads it.
///
/// Decoders differ in what they let pass: with a key that is there twice, one takes the first value and another the last. What
/// this lets pass has one meaning. (Wire format, "JSON payloads".)
enum StrictJSON {
    /// Which numbers have to be integers.
    enum Integers {
        /// All of them.
        case everywhere
        /// Those in the value of this key of the outermost object.
        case inValue(of: String)
        /// None.
        case nowhere
    }

    /// How deep values may be nested.
    static let maximumDepth = 512

    /// Checks a whole payload; takes time in proportion to its length, and no stack.
    ///
    /// - Throws: ``ControlJSON/Unreadable``.
    static func check(_ data: Data, integers: Integers) throws(ControlJSON.Unreadable) {
        let fault = data.withUnsafeBytes { bytes -> ControlJSON.Unreadable? in
            guard String(validating: bytes, as: UTF8.self) != nil else { return .notUTF8 }
            var scanner = StrictJSONScanner(bytes, integers)
            do throws(ControlJSON.Unreadable) {
                try scanner.scan()
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }
}

private struct StrictJSONScanner {
    private enum Container {
        case object(keys: Set<[UInt8]>)
        case array
    }

    private let bytes: UnsafeRawBufferPointer
    private let integers: StrictJSON.Integers
    private var position = 0
    private var open: [Container] = []
    private var needsIntegers: Bool

    init(_ bytes: UnsafeRawBufferPointer, _ integers: StrictJSON.Integers) {
        self.bytes = bytes
        self.integers = integers
        self.needsIntegers = if case .everywhere = integers { true } else { false }
    }

    mutating func scan() throws(ControlJSON.Unreadable) {
        var isValueNext = true
        while true {
            skipSpace()
            if isValueNext {
                isValueNext = try scanValue()
            } else if open.isEmpty {
                guard position == bytes.count else { throw .notJSON }
                return
            } else {
                isValueNext = try scanBehindValue()
            }
        }
    }

    /// Reads a value, or the beginning of one; true if a value must follow.
    private mutating func scanValue() throws(ControlJSON.Unreadable) -> Bool {
        switch try next() {
        case UInt8(ascii: "{"):
            try begin(.object(keys: []))
            guard peek() == UInt8(ascii: "}") else {
                try scanKey()
                return true
            }
            position += 1
            open.removeLast()
        case UInt8(ascii: "["):
            try begin(.array)
            guard peek() == UInt8(ascii: "]") else { return true }
            position += 1
            open.removeLast()
        case UInt8(ascii: "\""): _ = try scanString()
        case UInt8(ascii: "-"): try scanNumber(first: try next())
        case let digit where isDigit(digit): try scanNumber(first: digit)
        case UInt8(ascii: "t"): try scanWord("rue")
        case UInt8(ascii: "f"): try scanWord("alse")
        case UInt8(ascii: "n"): try scanWord("ull")
        default: throw .notJSON
        }
        return false
    }

    /// Reads what stands between two values, or the end of a container; true if a value must follow.
    private mutating func scanBehindValue() throws(ControlJSON.Unreadable) -> Bool {
        switch (try next(), open.last) {
        case (UInt8(ascii: ","), .object):
            skipSpace()
            try scanKey()
            return true
        case (UInt8(ascii: ","), .array):
            return true
        case (UInt8(ascii: "}"), .object), (UInt8(ascii: "]"), .array):
            open.removeLast()
            return false
        default:
            throw .notJSON
        }
    }

    private mutating func begin(_ container: Container) throws(ControlJSON.Unreadable) {
        guard open.count < StrictJSON.maximumDepth else { throw .tooDeep }
        open.append(container)
        skipSpace()
    }

    private mutating func scanKey() throws(ControlJSON.Unreadable) {
        guard try next() == UInt8(ascii: "\"") else { throw .notJSON }
        let key = try scanString()
        if open.count == 1, case .inValue(let strict) = integers { needsIntegers = key.elementsEqual(strict.utf8) }
        // Taken out of the stack while it grows, or the set would be copied.
        guard case .object(var keys)? = open.popLast() else { throw .notJSON }
        guard keys.insert(key).inserted else { throw .duplicateKey }
        open.append(.object(keys: keys))
        skipSpace()
        guard try next() == UInt8(ascii: ":") else { throw .notJSON }
    }

    /// Reads a string behind its first quotation mark; returns it without escapes, in UTF-8.
    private mutating func scanString() throws(ControlJSON.Unreadable) -> [UInt8] {
        var text: [UInt8] = []
        while true {
            switch try next() {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"): try scanEscape(into: &text)
            case 0..<0x20: throw .notJSON
            case let byte: text.append(byte)
            }
        }
    }

    private mutating func scanEscape(into text: inout [UInt8]) throws(ControlJSON.Unreadable) {
        switch try next() {
        case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += try scanCodePoint()
        default: throw .notJSON
        }
    }

    /// Reads the digits of an escaped character; one outside the basic plane has two escapes (RFC 8259, section 7).
    private mutating func scanCodePoint() throws(ControlJSON.Unreadable) -> [UInt8] {
        var code = try scanFourDigits()
        if (0xD800..<0xDC00).contains(code) {
            guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else { throw .notUTF8 }
            let low = try scanFourDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw .notUTF8 }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        // Half a pair is no character.
        guard let scalar = Unicode.Scalar(code) else { throw .notUTF8 }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func scanFourDigits() throws(ControlJSON.Unreadable) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let byte = try next()
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): code = code << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): code = code << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): code = code << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw .notJSON
            }
        }
        return code
    }

    private mutating func scanNumber(first: UInt8) throws(ControlJSON.Unreadable) {
        guard isDigit(first) else { throw .notJSON }
        if first == UInt8(ascii: "0") {
            guard !isDigit(peek()) else { throw .notJSON }
        } else {
            skipDigits()
        }
        if peek() == UInt8(ascii: ".") {
            guard !needsIntegers else { throw .notInteger }
            position += 1
            guard isDigit(peek()) else { throw .notJSON }
            skipDigits()
        }
        guard peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") else { return }
        guard !needsIntegers else { throw .notInteger }
        position += 1
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
        guard isDigit(peek()) else { throw .notJSON }
        skipDigits()
    }

    private mutating func scanWord(_ rest: StaticString) throws(ControlJSON.Unreadable) {
        for byte in rest.description.utf8 {
            guard try next() == byte else { throw .notJSON }
        }
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func skipDigits() {
        while isDigit(peek()) { position += 1 }
    }

    private func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func next() throws(ControlJSON.Unreadable) -> UInt8 {
        guard let byte = peek() else { throw .notJSON }
        position += 1
        return byte
    }
}
