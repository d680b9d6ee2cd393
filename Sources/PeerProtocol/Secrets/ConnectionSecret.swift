/// A secret that admits one more connection: a lane of a transfer, or the connection of a resource.
///
/// It is sent on a connection that is open already, and is of no use once the request is answered. Its descriptions
/// hide it, so that it does not get into logs. A comparison takes the same time wherever two secrets differ.
package struct ConnectionSecret: Sendable {
    /// The number of bytes: 128 bits.
    package static let byteCount = 16

    private let bytes: [UInt8]

    /// Creates a secret from exactly 16 bytes, which must be random; nil for any other number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Creates a secret from a source of unpredictable random numbers.
    package init(using generator: inout some RandomNumberGenerator) {
        self.bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Reads a secret from its text form: 22 characters of base64url without padding (RFC 4648, section 5).
    ///
    /// Nil for anything else, also where the four bits left over are not 0: every secret has one text form.
    package init?(text: some StringProtocol) {
        guard let bytes = Base64URL.bytes(of: text, count: Self.byteCount) else { return nil }
        self.bytes = bytes
    }

    /// The text form; secret.
    package var text: String { Base64URL.text(of: bytes) }
}

extension ConnectionSecret: Hashable {
    /// Compares two secrets in a time that does not tell how much of them is equal.
    package static func == (left: ConnectionSecret, right: ConnectionSecret) -> Bool {
        // No early exit: the time of a comparison must not tell how many bytes a guess has right.
        zip(left.bytes, right.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension ConnectionSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the secret.
    package var description: String { "<connection secret>" }
    /// Not the secret.
    package var debugDescription: String { description }
    /// Nothing.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ConnectionSecret: Codable {
    /// Reads a secret from its text form.
    package init(from decoder: any Decoder) throws {
        self = try decoder.value("a secret is 22 characters of base64url") { ConnectionSecret(text: $0) }
    }

    /// Writes a secret in its text form.
    package func encode(to encoder: any Encoder) throws { try encoder.write(text) }
}
