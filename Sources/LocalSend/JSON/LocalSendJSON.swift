import FoundationEssentials
import PeerProtocol

/// Reads JSON of devices value by value, and writes JSON for them.
///
/// Each text is bounded where it is read, keys that are not known are skipped, and an object that has a key twice is refused: other
/// programs would read one or the other value.
struct LocalSendJSON {
    /// A value; objects and lists are skipped.
    enum Value: Equatable {
        case text(String)
        /// A text that is longer than what was asked for.
        case longText
        /// An integer that is not negative.
        case integer(UInt64)
        case boolean(Bool)
        case null
        /// Another number, an object, or a list.
        case other
    }

    /// The maximum length of a key, a number or a word as it is written, in bytes.
    private static let writtenLength = 1024
    private static let pieceLength = 256

    private var scanner: JSONScanner
    private var limits: JSONScanner.Limits

    /// Reads a text that is one value.
    ///
    /// - Parameters:
    ///   - length: The maximum length of the text, in bytes.
    ///   - valueCount: The maximum number of keys and values.
    static func read<Result>(
        _ text: [UInt8],
        atMost length: Int,
        _ valueCount: Int,
        _ body: (inout LocalSendJSON) throws -> Result
    ) throws(LocalSendFault) -> Result {
        guard text.count <= length else { throw .tooLong }
        do {
            let limits = JSONScanner.Limits(length: writtenLength, valueCount: valueCount)
            var json = LocalSendJSON(scanner: JSONScanner(text, .list), limits: limits)
            let result = try body(&json)
            guard try json.scanner.peekBehindSpace() == nil else { throw JSONFault.notJSON }
            return result
        } catch let fault as LocalSendFault {
            throw fault
        } catch let fault as JSONFault {
            throw .json(fault)
        } catch {
            throw .json(.notJSON)
        }
    }

    /// Writes a value.
    static func write(_ value: some Encodable) -> [UInt8] {
        // Texts, integers and truth values can always be written.
        (try? ControlJSON.encoder().encode(value)).map { Array($0) } ?? []
    }

    /// Reads an object; `read` reads the value of each key.
    mutating func readObject(_ read: (_ key: String, _ json: inout LocalSendJSON) throws -> Void) throws {
        var keys: Set<[UInt8]> = []
        try scanner.skip("{")
        if try scanner.peekBehindSpace() == UInt8(ascii: "}") { return try scanner.skip("}") }
        repeat {
            var written: [UInt8] = []
            let key = try scanner.copyKey(to: &written, &limits)
            guard keys.insert(key).inserted else { throw JSONFault.duplicateKey }
            try read(String(decoding: key, as: UTF8.self), &self)
        } while try skipComma()
        try scanner.skip("}")
    }

    /// Reads an object; false for another value, which is skipped.
    mutating func readObjectIfAny(_ read: (_ key: String, _ json: inout LocalSendJSON) throws -> Void) throws -> Bool {
        guard try scanner.peekBehindSpace() == UInt8(ascii: "{") else {
            try skip()
            return false
        }
        try readObject(read)
        return true
    }

    /// Reads a value; a text of at most this length, in bytes.
    mutating func read(textUpTo maximum: Int = 0) throws -> Value {
        switch try scanner.peekBehindSpace() {
        case UInt8(ascii: "\""): return try readText(upTo: maximum)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try skip()
            return .other
        default:
            var written: [UInt8] = []
            try scanner.copyValue(to: &written, &limits)
            return Self.scalar(String(decoding: written, as: UTF8.self))
        }
    }

    /// Reads a text of at most this length, in bytes; nil for any other value.
    mutating func readText(upTo maximum: Int) throws -> String? {
        if case .text(let text) = try read(textUpTo: maximum) { text } else { nil }
    }

    /// Skips a value.
    mutating func skip() throws { try scanner.skipValue(&limits) }

    // Texts are not counted: each has a key, which is.
    private mutating func readText(upTo maximum: Int) throws -> Value {
        var text: [UInt8] = []
        var isTooLong = false
        try scanner.readString(inPiecesOf: Self.pieceLength) { piece in
            isTooLong = isTooLong || piece.count > maximum - text.count
            if !isTooLong { text += piece }
        }
        return isTooLong ? .longText : .text(String(decoding: text, as: UTF8.self))
    }

    private mutating func skipComma() throws -> Bool {
        guard try scanner.peekBehindSpace() == UInt8(ascii: ",") else { return false }
        try scanner.skip(",")
        return true
    }

    private static func scalar(_ word: String) -> Value {
        switch word {
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "null": .null
        default: UInt64(word).map { .integer($0) } ?? .other
        }
    }
}
