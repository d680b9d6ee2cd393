import NIOCore

/// One direction of a connection, as its sender sees it: what waits, what leaves, and what the receiver has not taken yet.
///
/// A plain value.
struct Line {
    /// Bytes that are sent together.
    struct Parcel {
        var bytes: ByteBuffer
        /// Called when they have left.
        var written: (@Sendable () -> Void)?
    }

    /// The number of bytes that leave before the receiver has taken them.
    static let capacity = 256 * 1024

    private var waiting = CircularBuffer<Parcel>()
    private var leaving: Parcel?
    /// The number of bytes that leave or have left, and that the receiver has not taken.
    private var untaken = 0

    /// Whether everything has left.
    var isEmpty: Bool { leaving == nil && waiting.isEmpty }

    mutating func append(_ parcel: Parcel) { waiting.append(parcel) }

    /// Lets the next parcel leave, if no other one does and there is room for it.
    ///
    /// - Returns: Its length; nil if nothing can leave.
    mutating func begin() -> Int? {
        guard leaving == nil, let first = waiting.first else { return nil }
        let length = first.bytes.readableBytes
        // A parcel that is longer than the capacity goes alone.
        guard untaken == 0 || untaken + length <= Self.capacity else { return nil }
        leaving = waiting.removeFirst()
        untaken += length
        return length
    }

    /// Returns the parcel that has left; nil if the line was closed meanwhile.
    mutating func finish() -> Parcel? {
        defer { leaving = nil }
        return leaving
    }

    /// The receiver has taken bytes.
    mutating func took(_ count: Int) { untaken = max(0, untaken - count) }

    /// Discards everything that has not left.
    mutating func close() -> [@Sendable () -> Void] {
        let calls = ([leaving] + waiting.map { $0 }).compactMap { $0?.written }
        leaving = nil
        waiting.removeAll()
        return calls
    }
}
