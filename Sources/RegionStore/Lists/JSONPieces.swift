import FoundationEssentials
import PeerProtocol

/// Reads and writes long JSON values piece by piece.
enum JSONPieces {
    private static let batchLength = 32 * 1024
    private static let batchCount = 256
    private static let maximumValueCount = 1000
    // A multiple of four, because four characters encode three bytes.
    private static let base64Length = 48 * 1024

    /// Reads an array of any length, some elements at a time.
    ///
    /// - Parameters:
    ///   - maximumLength: The maximum length of an element, in bytes.
    ///   - total: The maximum length of all elements, in bytes.
    /// - Throws: `JSONFault`, ``ItemFault``, or the error of the decoder or of the source of the text.
    static func readArray<Element: Decodable>(
        of type: Element.Type,
        _ scanner: inout JSONScanner,
        _ key: String,
        atMost maximumCount: Int,
        of maximumLength: Int,
        total: Int = .max
    ) throws -> [Element] {
        let decoder = JSONDecoder()
        var elements: [Element] = []
        var batch = [UInt8(ascii: "[")]
        var count = 0
        var length = 0
        func flush() throws {
            batch.append(UInt8(ascii: "]"))
            length += batch.count
            guard length <= total else { throw ItemFault.value(key: key, "is longer than \(total) bytes") }
            elements.append(contentsOf: try decoder.decode([Element].self, from: Data(batch)))
            batch.removeSubrange(1...)
        }
        try scanner.readElements("[") { scanner in
            guard count < maximumCount else {
                throw ItemFault.value(key: key, "has more than \(maximumCount) entries")
            }
            if batch.count >= batchLength { try flush() }
            if batch.count > 1 { batch.append(UInt8(ascii: ",")) }
            var limits = JSONScanner.Limits(length: batch.count + maximumLength, valueCount: maximumValueCount)
            try scanner.copyValue(to: &batch, &limits)
            count += 1
        }
        try flush()
        return elements
    }

    /// Writes the elements of an array, without the brackets.
    static func writeArray<Element: Encodable>(_ elements: [Element], to write: (Data) throws -> Void) throws {
        let encoder = SharedJSON.encoder()
        for start in stride(from: 0, to: elements.count, by: batchCount) {
            let batch = Array(elements[start..<min(start + batchCount, elements.count)])
            if start > 0 { try write(Data([UInt8(ascii: ",")])) }
            try write(Data(try encoder.encode(batch).dropFirst().dropLast()))
        }
    }

    /// Reads bytes that are base64 in a string.
    static func readBase64(_ scanner: inout JSONScanner, _ key: String, atMost maximumLength: Int) throws -> Data {
        var bytes = Data()
        var isPadded = false
        try scanner.readString(inPiecesOf: base64Length) { characters in
            guard !isPadded, let piece = Data(base64Encoded: Data(characters)) else {
                throw ItemFault.value(key: key, "is not base64")
            }
            isPadded = characters.last == UInt8(ascii: "=")
            guard bytes.count + piece.count <= maximumLength else {
                throw ItemFault.value(key: key, "is longer than \(maximumLength) bytes")
            }
            bytes.append(piece)
        }
        return bytes
    }

    /// Writes bytes as base64, without the quotation marks.
    static func writeBase64(_ bytes: Data, to write: (Data) throws -> Void) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(base64Length / 4 * 3)
            try write(Data(piece).base64EncodedData())
            rest = rest.dropFirst(piece.count)
        }
    }
}
