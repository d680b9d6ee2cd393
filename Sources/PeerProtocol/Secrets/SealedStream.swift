package import Crypto
import FoundationEssentials

/// Seals and opens a stream of bytes piece by piece, so that it can be read before it is whole and nothing of it can be changed.
///
/// It is the construction STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, 2015) with ChaCha20-Poly1305: the nonce of a piece has its
/// number, and whether it is the last one. So pieces that are changed, swapped, repeated, left out or cut off at the end are noticed
/// when the piece is opened. A key must seal one stream only.
package struct SealedStream: Sendable {
    /// The number of bytes of a key.
    package static let keyLength = 32
    /// The number of bytes in each piece but the last, which may have fewer.
    package static let pieceLength = 65_536
    /// How much longer a piece is when it is sealed.
    package static let tagLength = 16
    /// The number of bytes of each sealed piece but the last.
    package static let sealedLength = pieceLength + tagLength

    private let key: SymmetricKey
    private let header: [UInt8]
    private var count: UInt64 = 0
    private var isOver = false

    /// Begins a stream.
    ///
    /// - Parameters:
    ///   - key: The key; nothing else is sealed with it.
    ///   - header: The unencrypted header, which must be the same when the stream is opened.
    package init(key: SymmetricKey, header: [UInt8]) {
        self.key = key
        self.header = header
    }

    /// Seals the next piece.
    ///
    /// - `piece`: At most ``pieceLength`` bytes; exactly that number unless it is the last one.
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/limitExceeded`` if it has another length, or the stream is over.
    package mutating func seal(_ piece: [UInt8], isLast: Bool) throws(ProtocolError) -> [UInt8] {
        guard piece.count == Self.pieceLength || isLast && piece.count < Self.pieceLength, let nonce = next(isLast),
            let box = try? ChaChaPoly.seal(piece, using: key, nonce: nonce, authenticating: header)
        else { throw ProtocolError(.limitExceeded, "The data cannot be sealed.") }
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Opens the next piece.
    ///
    /// - Parameters:
    ///   - sealed: The sealed piece.
    ///   - isLast: Whether nothing follows it.
    /// - Returns: The piece.
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/digestMismatch`` unless it is the next piece of the stream, unchanged.
    package mutating func open(_ sealed: [UInt8], isLast: Bool) throws(ProtocolError) -> [UInt8] {
        guard let nonce = next(isLast), let piece = open(sealed, isLast: isLast, nonce) else {
            throw ProtocolError(.digestMismatch, "The sealed data were changed or cut off.")
        }
        return piece
    }

    /// Whether a piece is the last one of the stream, without the pieces before it.
    ///
    /// - `number`: Its number from 0.
    /// - Returns: Whether the stream ends with it; nothing is known of the other pieces.
    package func isLast(_ sealed: [UInt8], number: UInt64) -> Bool {
        Self.nonce(number, isLast: true).map { open(sealed, isLast: true, $0) != nil } ?? false
    }

    private func open(_ sealed: [UInt8], isLast: Bool, _ nonce: ChaChaPoly.Nonce) -> [UInt8]? {
        let length = sealed.count - Self.tagLength
        guard length == Self.pieceLength || isLast && (0..<Self.pieceLength).contains(length),
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce,
                ciphertext: sealed.prefix(length),
                tag: sealed.suffix(Self.tagLength)
            ), let piece = try? ChaChaPoly.open(box, using: key, authenticating: header)
        else { return nil }
        return Array(piece)
    }

    private mutating func next(_ isLast: Bool) -> ChaChaPoly.Nonce? {
        guard !isOver, count < .max else { return nil }
        defer {
            count += 1
            isOver = isLast
        }
        return Self.nonce(count, isLast: isLast)
    }

    /// The nonce of a piece: its number (8 bytes, big-endian), three zeros, and 1 for the last piece.
    private static func nonce(_ number: UInt64, isLast: Bool) -> ChaChaPoly.Nonce? {
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) } + [0, 0, 0, isLast ? 1 : 0]
        return try? ChaChaPoly.Nonce(data: bytes)
    }
}
