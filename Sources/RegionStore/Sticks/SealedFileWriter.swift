import Crypto
import PeerProtocol
import PeerStorage
import RegionModel

/// Writes a sealed stream to a file.
struct SealedFileWriter {
    private let file: OpenFile
    private var stream: SealedStream
    private var offset: UInt64
    private var pending: [UInt8] = []

    /// Begins behind a header in the clear.
    init(_ file: OpenFile, key: SymmetricKey, header: [UInt8]) throws(SystemError) {
        self.file = file
        stream = SealedStream(key: key, header: header)
        try file.write(header, at: 0)
        offset = UInt64(header.count)
        pending.reserveCapacity(2 * SealedStream.pieceLength)
    }

    /// Adds bytes.
    mutating func append(_ bytes: some Collection<UInt8>) throws {
        pending += bytes
        // One byte is kept: the last piece must be known as such.
        var start = 0
        while pending.count - start > SealedStream.pieceLength {
            try write(Array(pending[start..<start + SealedStream.pieceLength]), isLast: false)
            start += SealedStream.pieceLength
        }
        pending.removeFirst(start)
    }

    /// Writes the last piece.
    mutating func finish() throws {
        try write(pending, isLast: true)
        pending = []
    }

    private mutating func write(_ piece: [UInt8], isLast: Bool) throws {
        let sealed = try stream.seal(piece, isLast: isLast)
        try file.write(sealed, at: offset)
        offset += UInt64(sealed.count)
    }
}
