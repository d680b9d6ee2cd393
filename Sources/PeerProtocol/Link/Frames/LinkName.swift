import NIOCore

/// The name of a kind of message, of a kind of request or of a channel, such as `chat.line`.
///
/// It has 1 to 64 of the characters `a`–`z`, `0`–`9`, `.` and `-`, the first of them a letter.
package struct LinkName: Hashable, Sendable {
    /// The longest name, in bytes.
    package static let maximumLength = 64

    /// The name as text.
    package let text: String

    /// Checks a name; nil if it is not one.
    package init?(_ text: String) {
        let bytes = text.utf8.prefix(Self.maximumLength + 1)
        guard bytes.count <= Self.maximumLength, let first = bytes.first, Self.isLetter(first),
            bytes.allSatisfy({ Self.isLetter($0) || Self.others.contains($0) })
        else { return nil }
        self.text = text
    }

    /// The channel of messages that are sent without naming one.
    package static let main = LinkName(checked: "main")

    private init(checked text: StaticString) { self.text = text.description }

    /// The number of bytes.
    package var length: Int { text.utf8.count }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static let others = Array("0123456789.-".utf8)
}

extension ByteBuffer {
    /// Reads a name that a byte with its length precedes; nil if it is not there or not a name.
    mutating func readLinkName() -> LinkName? {
        guard let length = readInteger(as: UInt8.self), let text = readText(length: Int(length)) else { return nil }
        return LinkName(text)
    }

    /// Writes a name behind a byte with its length.
    mutating func writeLinkName(_ name: LinkName) {
        writeInteger(UInt8(truncatingIfNeeded: name.length))
        writeString(name.text)
    }

    /// Reads text in UTF-8; nil if the bytes are not there or not UTF-8.
    mutating func readText(length: Int) -> String? {
        guard let slice = readSlice(length: length) else { return nil }
        return String(validating: slice.readableBytesView, as: UTF8.self)
    }

    /// Returns the readable bytes in a buffer of their own, so that the whole read that they came with is not kept.
    func copied() -> ByteBuffer {
        guard readableBytes > 0 else { return ByteBuffer() }
        var copy = ByteBufferAllocator().buffer(capacity: readableBytes)
        copy.writeImmutableBuffer(self)
        return copy
    }
}
