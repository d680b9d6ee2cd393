/// Where an archive has a tile.
struct ArchivedTile: Hashable, Comparable, BitwiseCopyable {
    /// The tile.
    var number: ColumnNumber
    /// Where the bytes begin, or the number of the row that has them.
    var offset: UInt64
    /// The number of bytes; 0 if it is not known.
    var length: UInt64

    static func < (one: ArchivedTile, other: ArchivedTile) -> Bool {
        (one.number, one.offset, one.length) < (other.number, other.offset, other.length)
    }
}
