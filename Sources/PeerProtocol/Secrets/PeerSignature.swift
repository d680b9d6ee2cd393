import Crypto
import FoundationEssentials

/// A signature by the key of a machine, and the public key with which it is checked.
///
/// It is made by ECDSA with P-256 and SHA-256. What is signed begins with words that say what it is, so that a signature of one
/// thing is no signature of another.
package struct PeerSignature: Hashable, Sendable {
    /// The number of bytes of a public key: the two coordinates of a point.
    package static let keyLength = 64

    /// The number of bytes of a signature: two numbers.
    package static let byteCount = 64

    /// The public key.
    package let key: [UInt8]

    /// The signature.
    package let bytes: [UInt8]

    /// Creates a signature that is not yet checked; nil if it or the key has another length.
    package init?(key: [UInt8], bytes: [UInt8]) {
        guard key.count == Self.keyLength, bytes.count == Self.byteCount else { return nil }
        self.key = key
        self.bytes = bytes
    }

    /// The id of the machine with the key.
    package var signer: PeerID { PeerID(ofPoint: key) }

    /// Whether the owner of the key has signed a message.
    package func isValid(for message: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: key),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: message)
    }
}

extension PeerID {
    /// The beginning of the SubjectPublicKeyInfo of a P-256 key (RFC 5480, section 2), up to the 64 bytes of the point.
    package static let prefixOfP256: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE,
        0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]

    /// Creates the id of a P-256 key from the coordinates of its point.
    package init(ofPoint point: [UInt8]) {
        self.init(digest: ContentDigest(hashing: Self.prefixOfP256 + point))
    }
}
