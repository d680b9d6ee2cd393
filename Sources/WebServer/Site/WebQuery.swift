/// The query of a request, such as `?a=1&b=2`.
enum WebQuery {
    /// The maximum length of a query, in bytes.
    static let maximumLength = 2_000
    /// The maximum number of its names.
    static let maximumCount = 16

    /// Divides the target of a request into its path and its query, without the question mark; nil for no query.
    static func divide(_ target: String) -> (path: String, query: Substring?) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, nil) }
        return (String(target[..<mark]), target[target.index(after: mark)...])
    }

    /// Reads the names and values of a query; nil if it is too long, has a name twice, or has bytes that are no text.
    static func read(_ query: Substring) -> [String: String]? {
        guard query.utf8.count <= maximumLength else { return nil }
        var values: [String: String] = [:]
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.flatMap(decode), let value = parts.count > 1 ? decode(parts[1]) : "",
                values.count < maximumCount, values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return values
    }

    /// Writes names and values as a query without the question mark, in the order of the names.
    static func text(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }.map { "\(encode($0.key))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Returns a text with percent signs in place of all bytes that no path has (RFC 3986, section 2.1).
    private static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if WebPath.isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes += String(0x100 + Int(byte), radix: 16, uppercase: true).utf8.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a name or a value; nil if it is no text, or has control characters.
    private static func decode(_ encoded: Substring.UTF8View.SubSequence) -> String? {
        var bytes: [UInt8] = []
        var rest = encoded[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            // Forms write spaces so, and most libraries write queries as forms do.
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
