/// The secret of a session: whoever has it may join a further connection, a lane, to the session.
///
/// It is said inside the session it belongs to, and dies with it. Its descriptions hide it, so that it does not get into
/// logs; two are compared in a time that does not tell how much of them is equal.
package struct LaneSecret: Hashable, Sendable {
    private let token: LinkToken

    /// Creates a secret from exactly 16 bytes, which must be random; nil for any other number.
    package init?(bytes: [UInt8]) {
        guard let token = LinkToken(bytes: bytes) else { return nil }
        self.token = token
    }

    /// Creates a secret from a source of random numbers that nobody can predict.
    package init(using generator: inout some RandomNumberGenerator) {
        self.token = LinkToken(using: &generator)
    }
}

extension LaneSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the secret.
    package var description: String { "<lane secret>" }
    /// Not the secret.
    package var debugDescription: String { description }
    /// Nothing.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LaneSecret: Codable {
    /// Reads a secret from its text form, 22 characters of base64url.
    package init(from decoder: any Decoder) throws {
        self.token = try LinkToken(from: decoder)
    }

    /// Writes a secret in its text form.
    package func encode(to encoder: any Encoder) throws {
        try token.encode(to: encoder)
    }
}
