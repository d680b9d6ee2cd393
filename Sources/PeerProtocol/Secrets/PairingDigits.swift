import Crypto

/// The six digits that two people compare to detect a machine between theirs.
public struct PairingDigits: Hashable, Sendable {
    /// The digits: six characters of `0`–`9`.
    public let digits: String

    /// The digits in the form that is shown and read aloud: `123 456`.
    public var text: String { "\(digits.prefix(3)) \(digits.suffix(3))" }

    /// Creates digits; nil unless they are six characters of `0`–`9`.
    package init?(digits: String) {
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.digits = digits
    }

    /// Computes the digits of a pairing. (Wire format, "Pairing".)
    ///
    /// - Parameters:
    ///   - parties: Who pairs.
    ///   - receiverNonce: The receiver's random bytes.
    ///   - senderNonce: The sender's random bytes, already checked against its commitment.
    package init(_ parties: PairingParties, receiverNonce: PairingNonce, senderNonce: PairingNonce) {
        var hasher = SHA256()
        // A text of its own and fixed lengths: no other hash of the protocol has the same input.
        hasher.update(data: Array("hikeshare pairing digits\0".utf8))
        let version = UInt16(clamping: parties.version.number).bigEndian
        Swift.withUnsafeBytes(of: version) { hasher.update(bufferPointer: $0) }
        hasher.update(data: parties.receiver.digest.bytes)
        hasher.update(data: parties.sender.digest.bytes)
        hasher.update(data: receiverNonce.bytes)
        hasher.update(data: senderNonce.bytes)
        // 2^64 is no multiple of a million; the bias that is left is 1 in 10^13.
        let number = hasher.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let text = String(number)
        self.digits = String(repeating: "0", count: 6 - text.utf8.count) + text
    }
}

/// Who pairs, and in which version of the protocol.
package struct PairingParties: Hashable, Sendable {
    /// The version that the handshake agreed on.
    package var version: ProtocolVersion
    /// The receiver, as its certificate proves.
    package var receiver: PeerID
    /// The sender, as its certificate proves.
    package var sender: PeerID

    /// Creates a pair.
    package init(version: ProtocolVersion, receiver: PeerID, sender: PeerID) {
        self.version = version
        self.receiver = receiver
        self.sender = sender
    }
}

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
    /// Reads a nonce from its text form, 64 hexadecimal digits.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Hexadecimal.decode(try container.decode(String.self)), let nonce = PairingNonce(bytes: bytes)
        else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a nonce is 64 hexadecimal digits"
            )
        }
        self = nonce
    }

    /// Writes a nonce in its text form.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes.withUnsafeBytes { Hexadecimal.encode($0) })
    }
}
