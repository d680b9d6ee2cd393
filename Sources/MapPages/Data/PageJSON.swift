package import FoundationEssentials

/// JSON for scripts of pages, and for other programs.
package enum PageJSON {
    package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return encoder
    }

    /// Encodes a value, without any `<`, so that the text can stand in an HTML file.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let data = try encoder().encode(value)
        bytes.reserveCapacity(data.count)
        for byte in data {
            // In JSON, the character occurs only within strings.
            if byte == UInt8(ascii: "<") { bytes += Array(#"\u003c"#.utf8) } else { bytes.append(byte) }
        }
        return bytes
    }
}
