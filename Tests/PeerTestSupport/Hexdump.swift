/// Bytes written for people: hexadecimal digits in pairs, and a comment after `#` on any line.
public enum Hexdump {
    /// A line holds something that is not a pair of digits.
    public struct UnreadableLine: Error {
        /// The line, with its comment.
        public let line: String
    }

    /// Reads the bytes of a dump.
    ///
    /// - Throws: ``UnreadableLine`` if a line is not pairs of hexadecimal digits with spaces between them.
    public static func parse(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for line in text.split(separator: "\n") {
            let digits = line.prefix { $0 != "#" }
            for pair in digits.split(separator: " ") {
                guard pair.utf8.count == 2, let byte = UInt8(pair, radix: 16) else {
                    throw UnreadableLine(line: String(line))
                }
                bytes.append(byte)
            }
        }
        return bytes
    }
}
