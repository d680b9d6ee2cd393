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
    package init(_ parties: PairingDigits.Parties, receiverNonce: PairingNonce, senderNonce: PairingNonce) {
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

extension PairingDigits {
    /// Who pairs, and in which version of the protocol.
    package struct Parties: Hashable, Sendable {
        /// The version that the handshake agreed on.
        package var version: ProtocolVersion
        /// The receiver, as its certificate proves.
        package var receiver: PeerID
        /// The sender, as its certificate proves.
        package var sender: PeerID

        package init(version: ProtocolVersion, receiver: PeerID, sender: PeerID) {
            self.version = version
            self.receiver = receiver
            self.sender = sender
        }
    }
}
