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
    ///
    /// - Throws: `SystemError` if they cannot be written.
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
    ///
    /// - Throws: `SystemError` if it cannot be read.
    func hasEnd() throws(SystemError) -> Bool {
        let start = UInt64(headerLength)
        guard size > start else { return false }
        let number = (size - start - 1) / UInt64(SealedStream.sealedLength)
        let place = start + number * UInt64(SealedStream.sealedLength)
        return stream.isLast(try file.bytes(Int(size - place), at: place), number: number)
    }

    /// Opens the next piece; nil at the end.
    ///
    /// - Throws: ``StickFile/damaged`` if it was changed or cut off; `SystemError` if it cannot be read.
    mutating func next() throws -> [UInt8]? {
        guard offset < size else { return nil }
        let length = Int(min(UInt64(SealedStream.sealedLength), size - offset))
        let sealed = try file.bytes(length, at: offset)
        guard sealed.count == length else { throw StickFile.damaged }
        offset += UInt64(length)
        do {
            return try stream.open(sealed, isLast: offset == size)
        } catch {
            throw StickFile.damaged
        }
    }
}
