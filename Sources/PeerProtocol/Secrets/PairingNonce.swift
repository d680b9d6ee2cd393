import Crypto

/// The random bytes that one side adds to a pairing.
package struct PairingNonce: Hashable, Sendable {
    /// The number of bytes.
    package static let byteCount = 32

    /// The bytes.
    package let bytes: [UInt8]

    /// Creates a nonce from exactly 32 bytes, which must be random and used once; nil for any other number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Creates a nonce from a source of random numbers.
    package init(using generator: inout some RandomNumberGenerator) {
        self.bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// What is sent before the nonce itself, so that it cannot be chosen later. (Wire format, "Pairing".)
    package var commitment: ContentDigest {
        var hasher = SHA256()
        hasher.update(data: Array("hikeshare pairing commitment\0".utf8))
        hasher.update(data: bytes)
        return ContentDigest(hasher.finalize())
    }
}

extension PairingNonce: Codable {
    /// Reads a nonce from its text form.
    package init(from decoder: any Decoder) throws {
        self = try decoder.value("a nonce is 64 hexadecimal digits") {
            Hexadecimal.decode($0).flatMap(PairingNonce.init)
        }
    }

    /// Writes a nonce in its text form, 64 hexadecimal digits.
    package func encode(to encoder: any Encoder) throws {
        try encoder.write(bytes.withUnsafeBytes { Hexadecimal.encode($0) })
    }
}
