import PeerStorage

/// The header of a file cannot be read: it ends early, is too long, or says what is not possible.
struct UnreadableHeader: Error {}

/// Reads the few bytes of a file that say what it is, within a limit, whatever the file says.
struct HeaderReader {
    /// Reads at most a number of bytes from a position.
    typealias Source = (_ count: Int, _ offset: UInt64) throws(SystemError) -> [UInt8]

    /// The length of one read, in bytes.
    private static let pieceLength = 4096

    /// The most reads of one header: 16 MiB.
    static let maximumReadCount = 4096

    /// The size of the file, in bytes.
    let size: UInt64
    /// The position of the next byte.
    private(set) var position: UInt64 = 0
    /// A value with which every byte of the file is combined (exclusive or).
    var key: UInt8 = 0

    private let source: Source
    private var piece: [UInt8] = []
    private var start: UInt64 = 0
    private var readCount = 0

    init(size: UInt64, _ source: @escaping Source) {
        self.size = size
        self.source = source
    }

    /// Whether there are no more bytes.
    var isAtEnd: Bool { position >= size }

    /// Moves to a position in the file, or to its end.
    mutating func seek(to position: UInt64) throws {
        guard position <= size else { throw UnreadableHeader() }
        self.position = position
    }

    /// Moves on.
    mutating func skip(_ count: UInt64) throws {
        guard count <= size - position else { throw UnreadableHeader() }
        position += count
    }

    /// Reads one byte.
    mutating func byte() throws -> UInt8 {
        let offset = position.subtractingReportingOverflow(start)
        if !offset.overflow, offset.partialValue < UInt64(piece.count) {
            position += 1
            return piece[Int(offset.partialValue)] ^ key
        }
        guard position < size, readCount < Self.maximumReadCount else { throw UnreadableHeader() }
        readCount += 1
        piece = try source(Self.pieceLength, position)
        start = position
        // The file may have become shorter.
        guard let first = piece.first else { throw UnreadableHeader() }
        position += 1
        return first ^ key
    }

    /// Reads bytes, at most 4096.
    mutating func bytes(_ count: Int) throws -> [UInt8] {
        guard (0...Self.pieceLength).contains(count) else { throw UnreadableHeader() }
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(try byte()) }
        return bytes
    }

    /// Reads a number of at most 8 bytes, the highest byte first.
    mutating func bigEndian(_ count: Int) throws -> UInt64 {
        try bytes(count).suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number of at most 8 bytes, the lowest byte first.
    mutating func littleEndian(_ count: Int) throws -> UInt64 {
        try bytes(count).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number whose bytes have 7 bits each, the lowest first; all but the last have the highest bit set.
    mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte()
            guard shift < 63 || byte & 0x7F <= 1 else { throw UnreadableHeader() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw UnreadableHeader()
    }

    /// Reads a text of UTF-8 after its length, at most 4096 bytes; what is no UTF-8 is replaced.
    mutating func text() throws -> String {
        guard let count = Int(exactly: try varint()) else { throw UnreadableHeader() }
        return String(decoding: try bytes(count), as: UTF8.self)
    }
}
