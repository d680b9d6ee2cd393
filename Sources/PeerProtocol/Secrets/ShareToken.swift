/// The secret of a share link: the sender that made it admits any peer that presents it, for as long as the sender
/// runs.
///
/// Its descriptions hide it, so that it does not get into logs.
public struct ShareToken: Sendable {
    /// The number of bytes: 80 bits.
    ///
    /// A token can only be guessed at a running sender, which slows down guesses. (Wire format, "Share links".)
    package static let byteCount = 10

    package let bytes: [UInt8]

    /// Creates a token from exactly 10 bytes, which must be random; nil for any other number.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Creates a token from a source of unpredictable random numbers.
    package init(using generator: inout some RandomNumberGenerator) {
        self.bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Reads a token from its text form, 16 characters of ``Base32``; nil for anything else.
    ///
    /// Every token has one text form.
    package init?(text: some StringProtocol) {
        guard text.utf8.count == Self.textLength, let bytes = Base32.decode(text.utf8) else { return nil }
        self.init(bytes: bytes)
    }

    /// The length of the text form.
    private static let textLength = 16

    /// The text form.
    ///
    /// Secret: it belongs on the sender's screen and inside TLS, and nowhere else.
    package var text: String { Base32.encode(bytes) }
}

extension ShareToken: Hashable {
    /// Compares two tokens in a time that does not tell how much of them is equal.
    public static func == (left: ShareToken, right: ShareToken) -> Bool {
        // No early exit: the time of a comparison must not tell how many bytes a guess has right.
        zip(left.bytes, right.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension ShareToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the token.
    public var description: String { "<share token>" }
    /// Not the token.
    public var debugDescription: String { description }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ShareToken: Codable {
    /// Reads a token from its text form.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a token is 16 characters of base32") { ShareToken(text: $0) }
    }

    /// Writes a token in its text form.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text) }
}
