import PeerProtocol

/// The reason why JSON is rejected before it is decoded.
enum JSONFault: Error {
    /// The text is not JSON in UTF-8.
    case syntax
    /// A value has the wrong kind.
    case wrongKind
    /// A key, an item, or the number or nesting of its values exceeds a limit.
    case tooLarge
    /// The value of a key is wrong; the text says how, as a predicate.
    case value(key: String, String)
}

/// Scans JSON text, with one piece of the text in memory.
///
/// The scanner finds the beginning and the end of values. The decoder of a value checks that it is valid JSON.
struct JSONScanner {
    /// Fills a buffer with the text from a position on; returns the number of bytes, 0 at the end of the text.
    typealias Source = (_ buffer: UnsafeMutableRawBufferPointer, _ position: UInt64) throws -> Int

    /// The limits on copying a value.
    struct Limits {
        /// The maximum length of the output array, in bytes.
        var length: Int
        /// The remaining number of values, including keys.
        var valueCount: Int

        static let depth = 32
    }

    private static let pieceLength = 64 * 1024

    private let source: Source
    private var piece = [UInt8](repeating: 0, count: Self.pieceLength)
    private var index = 0
    private var end = 0
    private var position: UInt64 = 0

    init(_ source: @escaping Source) {
        self.source = source
    }

    /// Creates a scanner of bytes in memory.
    init(_ bytes: [UInt8]) {
        self.init { buffer, position in
            let rest = bytes[min(bytes.count, Int(clamping: position))...].prefix(buffer.count)
            buffer.copyBytes(from: rest)
            return rest.count
        }
    }

    /// Returns the next byte without consuming it; nil at the end.
    mutating func peek() throws -> UInt8? {
        if index == end { try load() }
        return index < end ? piece[index] : nil
    }

    /// Consumes the next byte.
    mutating func next() throws -> UInt8 {
        guard let byte = try peek() else { throw JSONFault.syntax }
        index += 1
        return byte
    }

    /// Skips spaces and returns the next byte without consuming it; nil at the end.
    mutating func peekBehindSpace() throws -> UInt8? {
        while let byte = try peek() {
            guard Self.isSpace(byte) else { return byte }
            index += 1
        }
        return nil
    }

    /// Skips spaces and consumes the next byte.
    mutating func nextBehindSpace() throws -> UInt8 {
        guard try peekBehindSpace() != nil else { throw JSONFault.syntax }
        return try next()
    }

    /// Skips spaces and consumes one expected character.
    mutating func skip(_ mark: Unicode.Scalar) throws {
        guard try nextBehindSpace() == UInt8(ascii: mark) else { throw JSONFault.syntax }
    }

    /// Copies a value up to its end.
    mutating func copyValue(to bytes: inout [UInt8], _ limits: inout Limits) throws {
        var depth = 0
        while let byte = try peek() {
            switch byte {
            case UInt8(ascii: "\""):
                try copyString(to: &bytes, atMost: limits.length)
                try count(&limits)
                if depth == 0 { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= Limits.depth else { throw JSONFault.tooLarge }
                try count(&limits)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                index += 1
                try append(byte, to: &bytes, limits.length)
                if depth == 0 { return }
                continue
            case UInt8(ascii: ","):
                if depth == 0 { return }
                try count(&limits)
            default:
                if depth == 0, Self.isSpace(byte) { return }
            }
            index += 1
            try append(byte, to: &bytes, limits.length)
        }
        throw JSONFault.syntax
    }

    /// Copies a string with its quotation marks and escapes.
    mutating func copyString(to bytes: inout [UInt8], atMost limit: Int) throws {
        guard try peek() == UInt8(ascii: "\"") else { throw JSONFault.syntax }
        index += 1
        try append(UInt8(ascii: "\""), to: &bytes, limit)
        while try peek() != nil {
            let run = piece[index..<end]
            let mark = run.firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ?? end
            guard bytes.count + (mark - index) <= limit else { throw JSONFault.tooLarge }
            bytes.append(contentsOf: run[..<mark])
            index = mark
            guard mark < end else { continue }
            let byte = try next()
            try append(byte, to: &bytes, limit)
            if byte == UInt8(ascii: "\"") { return }
            try append(try next(), to: &bytes, limit)
        }
        throw JSONFault.syntax
    }

    private func append(_ byte: UInt8, to bytes: inout [UInt8], _ limit: Int) throws {
        guard bytes.count < limit else { throw JSONFault.tooLarge }
        bytes.append(byte)
    }

    private func count(_ limits: inout Limits) throws {
        limits.valueCount -= 1
        guard limits.valueCount >= 0 else { throw JSONFault.tooLarge }
    }

    private mutating func load() throws {
        let position = position
        let source = source
        end = try piece.withUnsafeMutableBytes { try source($0, position) }
        index = 0
        self.position += UInt64(end)
        // In other encodings, which decoders accept too, the characters of JSON have zero bytes.
        guard !piece[..<end].contains(0) else { throw JSONFault.syntax }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
