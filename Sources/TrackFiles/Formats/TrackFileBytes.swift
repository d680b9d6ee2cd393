/// The bytes of a file, read where they are wanted.
struct TrackFileBytes {
    static let pieceLength = 256 * 1024

    /// The size of the file, in bytes; what is appended meanwhile does not count.
    let size: UInt64
    /// Returns bytes from a position on: at most so many, none at the end of the file.
    let read: (_ position: UInt64, _ count: Int) throws -> [UInt8]

    /// Returns a source of the bytes of a range, piece by piece; they end early if the file does.
    func pieces(in range: Range<UInt64>) -> () throws -> [UInt8] {
        var position = range.lowerBound
        return {
            let rest = range.upperBound - min(range.upperBound, position)
            let bytes = try read(position, Int(min(UInt64(Self.pieceLength), rest)))
            position += UInt64(bytes.count)
            return bytes
        }
    }

    /// Returns the bytes of a range; nil if the file is shorter.
    func exactly(_ position: UInt64, _ count: Int) throws -> [UInt8]? {
        guard count >= 0, position <= size, UInt64(count) <= size - position else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try read(position + UInt64(bytes.count), count - bytes.count)
            guard !more.isEmpty else { return nil }
            bytes += more
        }
        return bytes
    }
}

extension BidirectionalCollection<UInt8> {
    /// The number that at most eight bytes stand for.
    func number(isBigEndian: Bool) -> UInt64 {
        isBigEndian ? reduce(0) { $0 << 8 | UInt64($1) } : reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
