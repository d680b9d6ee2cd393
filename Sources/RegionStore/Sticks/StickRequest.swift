import Crypto
package import FoundationEssentials
import NIOCore
package import PeerProtocol
import RegionModel

/// What a store has and wants to get on a stick: digests of its maps and their tiles, and the key with which the answer is sealed.
///
/// It names no region and no file. The machine that wrote it has signed it.
package struct StickRequest: Hashable, Sendable {
    /// The most files that are listed.
    static let maximumFileCount = 4096
    /// The most tiles that are listed.
    static let maximumPieceCount = 1_000_000
    /// The most maps whose tiles are listed.
    static let maximumMapCount = 63

    private static let beginning = Array("Stick request 1\n".utf8)

    /// The name of the person there.
    package let name: String
    /// When it was written.
    package let date: Date
    /// The public key of P-256 with which the answer is sealed, as 64 bytes.
    let agreementKey: [UInt8]
    /// The digests of the maps and routing databases.
    let files: [ContentDigest]
    /// The digests of their tiles, in ascending order.
    let pieces: [UInt64]
    /// The signature of the machine.
    let signature: PeerSignature
    /// The digest of all of it, by which an answer names it.
    package let digest: ContentDigest

    /// The machine that wrote it.
    package var signer: PeerID { signature.signer }

    /// Returns whether the store has a tile.
    func hasPiece(_ piece: PieceDigest) -> Bool {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle] < piece.bits { low = middle + 1 } else { high = middle }
        }
        return low < pieces.count && pieces[low] == piece.bits
    }

    /// Writes a request.
    ///
    /// - Parameters:
    ///   - name: The name of the person here; a long one is cut.
    ///   - files: The digests of the maps and routing databases; those beyond ``maximumFileCount`` are left out.
    ///   - pieces: The digests of their tiles; those beyond ``maximumPieceCount`` are left out.
    static func write(
        name: String,
        agreementKey: [UInt8],
        files: [ContentDigest],
        pieces: Set<UInt64>,
        _ sign: (_ message: [UInt8]) throws -> PeerSignature
    ) throws -> (request: StickRequest, bytes: [UInt8]) {
        let name = Array(name.prefix(utf8Count: MapSignature.maximumNameLength).utf8)
        let files = files.prefix(maximumFileCount)
        let pieces = pieces.sorted().prefix(maximumPieceCount)
        var buffer = ByteBuffer(bytes: beginning)
        buffer.writeInteger(UInt8(truncatingIfNeeded: name.count))
        buffer.writeBytes(name)
        buffer.writeInteger(UInt64(max(0, min(Date().timeIntervalSince1970, 1e11))))
        buffer.writeBytes(agreementKey)
        buffer.writeInteger(UInt32(files.count))
        for file in files { buffer.writeBytes(file.bytes) }
        buffer.writeInteger(UInt32(pieces.count))
        for piece in pieces { buffer.writeInteger(piece) }
        let signature = try sign(Array(buffer.readableBytesView))
        buffer.writeBytes(signature.key + signature.bytes)
        let bytes = Array(buffer.readableBytesView)
        return (try StickRequest(parsing: bytes), bytes)
    }

    /// The length of the longest request, in bytes.
    static let maximumLength = 1024 + 32 * maximumFileCount + 8 * maximumPieceCount

    /// Reads a request, and checks its signature.
    ///
    /// - Throws: ``StickFile/damaged(_:cause:)`` if it is not one.
    package init(parsing bytes: [UInt8]) throws {
        let signatureLength = PeerSignature.keyLength + PeerSignature.byteCount
        guard bytes.count <= Self.maximumLength, bytes.starts(with: Self.beginning), bytes.count > signatureLength,
            let signature = PeerSignature(
                key: Array(bytes.suffix(signatureLength).prefix(PeerSignature.keyLength)),
                bytes: Array(bytes.suffix(PeerSignature.byteCount))
            ), signature.isValid(for: Array(bytes.dropLast(signatureLength)))
        else { throw StickFile.damaged("it is no request, or its signature is not valid") }
        var buffer = ByteBuffer(bytes: bytes.dropLast(signatureLength).dropFirst(Self.beginning.count))
        guard let length = buffer.readInteger(as: UInt8.self), let text = buffer.readBytes(length: Int(length)),
            let name = String(validating: text, as: UTF8.self), name.utf8.count <= MapSignature.maximumNameLength,
            let seconds = buffer.readInteger(as: UInt64.self), seconds < 100_000_000_000,
            let agreementKey = buffer.readBytes(length: StickFile.publicKeyLength),
            let fileCount = buffer.readInteger(as: UInt32.self), fileCount <= Self.maximumFileCount,
            var files = buffer.readSlice(length: Int(fileCount) * ContentDigest.byteCount),
            let pieceCount = buffer.readInteger(as: UInt32.self), pieceCount <= Self.maximumPieceCount,
            buffer.readableBytes == Int(pieceCount) * MemoryLayout<UInt64>.size
        else { throw StickFile.damaged("a number in it is not possible") }
        var pieces: [UInt64] = []
        pieces.reserveCapacity(Int(pieceCount))
        while let piece = buffer.readInteger(as: UInt64.self) {
            guard pieces.last.map({ $0 < piece }) ?? true else {
                throw StickFile.damaged("the pieces in it are not in the right order")
            }
            pieces.append(piece)
        }
        var digests: [ContentDigest] = []
        while let file = files.readSlice(length: ContentDigest.byteCount) {
            file.withUnsafeReadableBytes { if let digest = ContentDigest(bytes: $0) { digests.append(digest) } }
        }
        self.name = name
        self.date = Date(timeIntervalSince1970: TimeInterval(seconds))
        self.agreementKey = agreementKey
        self.files = digests
        self.pieces = pieces
        self.signature = signature
        self.digest = ContentDigest(hashing: bytes)
    }
}
