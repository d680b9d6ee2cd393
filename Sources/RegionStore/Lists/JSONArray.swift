import FoundationEssentials
import PeerProtocol

/// Reads and writes JSON arrays of any length, some elements at a time.
enum JSONArray {
    private static let batchLength = 32 * 1024
    private static let batchCount = 256
    private static let maximumValueCount = 1000

    /// Reads an array up to its end.
    ///
    /// - Parameters:
    ///   - type: The type of an element.
    ///   - scanner: The scanner, at the beginning of the array.
    ///   - key: The key of the array, for messages.
    ///   - maximumCount: The maximum number of elements.
    ///   - maximumLength: The maximum length of an element, in bytes.
    ///   - total: The maximum length of all elements, in bytes.
    /// - Returns: The elements.
    /// - Throws: ``JSONFault``, or the error of the decoder or of the source of the text.
    static func read<Element: Decodable>(
        _ type: Element.Type,
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
            guard length <= total else { throw JSONFault.value(key: key, "is longer than \(total) bytes") }
            try ControlJSON.checkKeys(of: Data(batch))
            elements.append(contentsOf: try decoder.decode([Element].self, from: Data(batch)))
            batch.removeSubrange(1...)
        }
        try scanner.skip("[")
        while try scanner.peekBehindSpace() != UInt8(ascii: "]") {
            guard count < maximumCount else { throw JSONFault.value(key: key, "has more than \(maximumCount) entries") }
            if count > 0 {
                try scanner.skip(",")
                _ = try scanner.peekBehindSpace()
            }
            if batch.count >= batchLength { try flush() }
            if batch.count > 1 { batch.append(UInt8(ascii: ",")) }
            var limits = JSONScanner.Limits(length: batch.count + maximumLength, valueCount: maximumValueCount)
            try scanner.copyValue(to: &batch, &limits)
            count += 1
        }
        try scanner.skip("]")
        try flush()
        guard elements.count == count else { throw JSONFault.syntax }
        return elements
    }

    /// Writes the elements of an array, without the brackets.
    static func write<Element: Encodable>(_ elements: [Element], to write: (Data) throws -> Void) throws {
        let encoder = SharedJSON.encoder()
        for start in stride(from: 0, to: elements.count, by: batchCount) {
            let batch = Array(elements[start..<min(start + batchCount, elements.count)])
            if start > 0 { try write(Data([UInt8(ascii: ",")])) }
            try write(Data(try encoder.encode(batch).dropFirst().dropLast()))
        }
    }
}
