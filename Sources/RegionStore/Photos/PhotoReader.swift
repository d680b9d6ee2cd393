import PeerProtocol
import PeerStorage
import RegionModel
import TrackFiles

/// A photo that is read piece by piece.
package struct PhotoReader {
    /// The format, by the first bytes.
    package var format: PhotoFormat
    /// The size, in bytes.
    package var size: Int
    /// Returns some of the bytes.
    package var read: (_ range: Range<Int>) throws -> [UInt8]

    private static let pieceLength = 192 * 1024

    /// Creates a photo of known format.
    package init(format: PhotoFormat, size: Int, read: @escaping (_ range: Range<Int>) throws -> [UInt8]) {
        (self.format, self.size, self.read) = (format, size, read)
    }

    /// Creates a photo in the database; nil if its format is not known.
    init?(_ blob: PhotoBlob) throws {
        let beginning = try blob.read(0..<min(blob.count, PhotoFormat.signatureLength))
        guard let format = PhotoFormat(beginning: beginning) else { return nil }
        self.init(format: format, size: blob.count) { try blob.read($0) }
    }

    /// Creates a photo in an archive; nil if its format is not known.
    init?(_ entry: PhotoArchive.Entry, of file: OpenFile) throws {
        func read(_ range: Range<Int>) throws -> [UInt8] {
            try PhotoArchive.bytes(of: entry, range, of: file, called: "The photos")
        }
        let signature = min(entry.range.count, PhotoFormat.signatureLength)
        guard let format = PhotoFormat(beginning: try read(0..<signature)) else { return nil }
        self.init(format: format, size: entry.range.count, read: read)
    }

    /// Calls a function with one piece after the other.
    ///
    /// Each piece but the last one has a number of bytes that can be divided by 3, as base64 needs it.
    package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
        for start in stride(from: 0, to: size, by: Self.pieceLength) {
            try body(try read(start..<min(size, start + Self.pieceLength)))
        }
    }
}
