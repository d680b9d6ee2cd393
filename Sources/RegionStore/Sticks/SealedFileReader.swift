import Crypto
import PeerProtocol
import PeerStorage
import RegionModel

/// Reads a sealed stream of a file, one piece at a time.
struct SealedFileReader: Sendable {
    private let file: OpenFile
    private var stream: SealedStream
    private let size: UInt64
    private let headerLength: Int
    private var offset: UInt64

    /// The number of bytes of the file that were read.
    var position: UInt64 { offset }

    /// Begins behind a header in the clear.
    init(_ file: OpenFile, key: SymmetricKey, header: [UInt8]) throws(SystemError) {
        self.file = file
        stream = SealedStream(key: key, header: header)
        size = try file.size()
        headerLength = header.count
        offset = UInt64(header.count)
    }

    /// Whether the file ends with the last piece of the stream; reads that piece alone.
    func hasEnd() throws(SystemError) -> Bool {
        let start = UInt64(headerLength)
        guard size > start else { return false }
        let number = (size - start - 1) / UInt64(SealedStream.sealedLength)
        let place = start + number * UInt64(SealedStream.sealedLength)
        return stream.isLast(try file.bytes(Int(size - place), at: place), number: number)
    }

    /// Opens the next piece; nil at the end.
    mutating func next() throws -> [UInt8]? {
        guard offset < size else { return nil }
        let length = Int(min(UInt64(SealedStream.sealedLength), size - offset))
        let sealed = try file.bytes(length, at: offset)
        guard sealed.count == length else { throw StickFile.damaged("it became shorter while it was read") }
        offset += UInt64(length)
        do {
            return try stream.open(sealed, isLast: offset == size)
        } catch {
            throw StickFile.damaged("it was changed after it was sealed", cause: error)
        }
    }
}
