import FoundationEssentials

/// Base64url without padding (RFC 4648, section 5), in which every sequence of bytes has exactly one text form.
enum Base64URL {
    /// Returns the text form of bytes.
    static func text(of bytes: [UInt8]) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            }
        )
    }

    /// Reads the text form of exactly `count` bytes.
    ///
    /// Nil for anything else, also where the bits left over are not 0.
    static func bytes(of text: some StringProtocol, count: Int) -> [UInt8]? {
        guard text.utf8.count == (count * 8 + 5) / 6 else { return nil }
        let padding = String(repeating: "=", count: (3 - count % 3) % 3)
        let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        guard let data = Data(base64Encoded: String(standard) + padding), data.count == count,
            // Texts that only look the same are refused: some decoders ignore the bits left over.
            self.text(of: Array(data)) == text
        else { return nil }
        return Array(data)
    }
}
