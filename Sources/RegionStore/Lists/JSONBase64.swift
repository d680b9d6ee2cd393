import FoundationEssentials

/// Reads and writes bytes as base64 in a JSON string, piece by piece.
enum JSONBase64 {
    // A multiple of four, because four characters encode three bytes.
    private static let pieceLength = 48 * 1024

    /// Reads a string up to its end.
    static func read(_ scanner: inout JSONScanner, _ key: String, atMost maximumLength: Int) throws -> Data {
        var bytes = Data()
        var characters: [UInt8] = []
        var isPadded = false
        func flush() throws {
            guard !characters.isEmpty else { return }
            guard !isPadded, let piece = Data(base64Encoded: Data(characters)) else {
                throw JSONFault.value(key: key, "is not base64")
            }
            isPadded = characters.last == UInt8(ascii: "=")
            guard bytes.count + piece.count <= maximumLength else {
                throw JSONFault.value(key: key, "is longer than \(maximumLength) bytes")
            }
            bytes.append(piece)
            characters.removeAll(keepingCapacity: true)
        }
        try scanner.skip("\"")
        while true {
            var byte = try scanner.next()
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") { byte = try escaped(&scanner, key) }
            characters.append(byte)
            if characters.count == pieceLength { try flush() }
        }
        try flush()
        return bytes
    }

    // Many encoders escape the slash, and some the equals sign and the plus sign.
    private static func escaped(_ scanner: inout JSONScanner, _ key: String) throws -> UInt8 {
        let byte = try scanner.next()
        if byte == UInt8(ascii: "/") { return byte }
        var digits = ""
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 { digits.unicodeScalars.append(Unicode.Scalar(try scanner.next())) }
        }
        guard let value = UInt8(digits, radix: 16), value > 0x20, value < 0x7F, !digits.hasPrefix("+") else {
            throw JSONFault.value(key: key, "is not base64")
        }
        return value
    }

    /// Writes the base64 text, without the quotation marks.
    static func write(_ bytes: Data, to write: (Data) throws -> Void) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceLength / 4 * 3)
            try write(Data(piece).base64EncodedData())
            rest = rest.dropFirst(piece.count)
        }
    }
}
