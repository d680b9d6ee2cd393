/// Bytes of a piece in a file, as an index of it knows them.
package struct PieceSpan: Hashable, Sendable {
    /// Where they begin in the file.
    package var offset: UInt64
    /// How many bytes of the piece they are; those of a page that belong to no piece do not count.
    package var length: UInt32
    /// Where they begin in the piece.
    package var pieceOffset: UInt32
    /// The digest of the whole piece.
    package var digest: PieceDigest
    /// The number that the application has given to the piece; nil if it has none.
    package var key: UInt64?

    package init(offset: UInt64, length: UInt32, pieceOffset: UInt32, digest: PieceDigest, key: UInt64?) {
        self.offset = offset
        self.length = length
        self.pieceOffset = pieceOffset
        self.digest = digest
        self.key = key
    }
}

extension [PieceSpan] {
    /// Returns the position of the first span that ends behind an offset, or begins there.
    func firstIndexOfSpan(behind offset: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        // The span before may reach beyond the offset.
        return Swift.max(0, low - 1)
    }
}
