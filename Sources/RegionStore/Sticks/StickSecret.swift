import Crypto
import PeerProtocol
import PeerStorage
import RegionModel

/// A secret that opens what is sealed for anyone who has it.
public struct StickSecret: Hashable, Sendable {
    private static let scheme = "STICK:"

    let bytes: [UInt8]

    package init() { bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }

    /// Reads a secret, ignoring case and white space; nil if it is none.
    package init?(text: String) {
        let text = text.split(whereSeparator: \.isWhitespace).joined().uppercased()
        let word = text.hasPrefix(Self.scheme) ? text.dropFirst(Self.scheme.count) : text[...]
        guard word.utf8.count == 52, let bytes = Base32.decode(word.utf8), bytes.count == SealedStream.keyLength else {
            return nil
        }
        self.bytes = bytes
    }

    /// The text form, which is secret.
    public var text: String { Self.scheme + Base32.encode(bytes) }
}
