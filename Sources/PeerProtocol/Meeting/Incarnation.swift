/// One run of a peer's program: 16 random bytes, which its `hello` says.
///
/// On the wire, it is text: the bytes in base64url (RFC 4648, section 5) without padding, 22 characters.
package struct Incarnation: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates an incarnation from its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a random incarnation.
    package static func random() -> Incarnation {
        Incarnation(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
    }
}

extension Incarnation: Codable {
    private static let byteCount = 16

    /// Reads the text.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = Base64URL.bytes(of: text, count: Self.byteCount) else {
            throw DecodingError.unknownName(decoder)
        }
        self.init(high: Self.integer(bytes.prefix(8)), low: Self.integer(bytes.suffix(8)))
    }

    /// Writes the text.
    package func encode(to encoder: any Encoder) throws {
        let bytes = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.text(of: bytes))
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
