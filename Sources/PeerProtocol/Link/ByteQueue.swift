import NIOCore

/// A queue of bytes, in blocks.
///
/// Appended bytes are copied, so that one byte never keeps the whole buffer in which it arrived. Only long blocks that fill their
/// memory are kept as they are: those of the application (`append(block:)`), and frames that arrive (`append(arrived:)`).
package struct ByteQueue: Sendable {
    /// The maximum memory of a block of copied bytes.
    static let blockLength = 4096
    /// A block that is not copied is longer than this.
    private static let shortLength = 12 * 1024
    /// Most messages are short, so the first block is.
    private static let firstBlockLength = 256

    /// The maximum memory beyond the copied bytes themselves: the read part of the first block, and the unused part of the last one.
    package static let maximumOverhead = 2 * blockLength

    private var blocks = CircularBuffer<ByteBuffer>(initialCapacity: 0)

    /// The number of bytes.
    private(set) var count = 0

    /// The memory of all blocks.
    var heldLength: Int { blocks.reduce(0) { $0 + $1.storageCapacity } }

    var isEmpty: Bool { count == 0 }

    /// How many more bytes the last block can hold.
    private var roomInLastBlock = 0

    mutating func append(_ bytes: ByteBuffer) {
        var rest = bytes
        count += rest.readableBytes
        while rest.readableBytes > 0 {
            if roomInLastBlock == 0 {
                let length = blocks.isEmpty ? max(Self.firstBlockLength, rest.readableBytes) : Self.blockLength
                let block = ByteBufferAllocator().buffer(capacity: min(length, Self.blockLength))
                roomInLastBlock = block.capacity
                blocks.append(block)
            }
            guard let slice = rest.readSlice(length: min(roomInLastBlock, rest.readableBytes)) else { return }
            roomInLastBlock -= slice.readableBytes
            // In place: through the subscript, the block would be copied.
            _ = blocks.modify(blocks.index(before: blocks.endIndex)) { $0.writeImmutableBuffer(slice) }
        }
    }

    /// Appends bytes that nothing else changes; they are not copied if they are long.
    mutating func append(block: ByteBuffer) {
        guard block.readableBytes > Self.shortLength, block.readableBytes > block.storageCapacity / 4 * 3 else {
            return append(block)
        }
        count += block.readableBytes
        blocks.append(block)
        roomInLastBlock = 0
    }

    /// Appends bytes of a peer; they are not copied if they are long, and their frame fills its memory.
    mutating func append(arrived bytes: ByteBuffer) {
        // A block after one that is partly used would waste the rest of that one, and a peer could make many such blocks.
        guard roomInLastBlock == 0, bytes.readableBytes > Self.shortLength,
            bytes.storageCapacity - bytes.readableBytes <= StreamBytes.headLength
        else { return append(bytes) }
        append(block: bytes)
    }

    /// Takes the first block without a copy if it is long and has at most this many bytes; nil otherwise.
    mutating func removeBlock(atMost length: Int) -> ByteBuffer? {
        guard let first = blocks.first, first.readableBytes <= length, first.storageCapacity > Self.shortLength,
            first.storageCapacity / 2 < first.readableBytes
        else { return nil }
        return removeBlock()
    }

    private mutating func removeBlock() -> ByteBuffer? {
        let first = blocks.popFirst()
        count -= first?.readableBytes ?? 0
        if count == 0 { self = ByteQueue() }
        return first
    }

    /// Appends what `write` writes, which is `length` bytes long; usually directly into the last block.
    mutating func append(_ length: Int, _ write: (inout ByteBuffer) -> Void) {
        guard length <= roomInLastBlock else {
            var bytes = ByteBufferAllocator().buffer(capacity: length)
            write(&bytes)
            return append(bytes)
        }
        count += length
        roomInLastBlock -= length
        blocks.modify(blocks.index(before: blocks.endIndex)) { write(&$0) }
    }

    /// How many bytes to take at most, so that long blocks can be taken without a copy: the rest of the first one, if it is long.
    var wholeLength: Int {
        guard let first = blocks.first, first.storageCapacity > Self.shortLength else { return count }
        return first.readableBytes
    }

    /// Takes the first block, without a copy.
    ///
    /// - Returns: The block; nil if it has another number of bytes or no such room, or if a copy would need less memory.
    mutating func removeBlock(of length: Int, behind room: Int) -> ByteBuffer? {
        guard let first = blocks.first, first.readableBytes == length, first.readerIndex >= room,
            first.storageCapacity > Self.shortLength, first.storageCapacity / 2 < room + length
        else { return nil }
        return removeBlock()
    }

    /// Takes bytes from the front: this many, or all if there are fewer.
    mutating func removeFirst(_ wanted: Int) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: max(0, min(wanted, count)))
        moveFirst(wanted, into: &bytes)
        return bytes
    }

    /// Returns bytes from the front without taking them: this many, or all if there are fewer.
    ///
    /// Release them before the queue changes. They may share its memory, which would be copied.
    func prefix(_ wanted: Int) -> ByteBuffer {
        var left = max(0, min(wanted, count))
        if let first = blocks.first, let slice = first.getSlice(at: first.readerIndex, length: left) { return slice }
        var bytes = ByteBufferAllocator().buffer(capacity: left)
        for block in blocks {
            guard left > 0 else { break }
            let length = min(left, block.readableBytes)
            if let slice = block.getSlice(at: block.readerIndex, length: length) { bytes.writeImmutableBuffer(slice) }
            left -= length
        }
        return bytes
    }

    /// Takes bytes from the front and appends them to a buffer.
    mutating func moveFirst(_ wanted: Int, into bytes: inout ByteBuffer) {
        var left = max(0, min(wanted, count))
        count -= left
        while left > 0, !blocks.isEmpty {
            let first = blocks.startIndex
            let isEmpty = blocks.modify(first) { block in
                if let slice = block.readSlice(length: min(left, block.readableBytes)) {
                    left -= slice.readableBytes
                    bytes.writeImmutableBuffer(slice)
                }
                return block.readableBytes == 0
            }
            if isEmpty { _ = blocks.popFirst() }
        }
        if count == 0 { self = ByteQueue() }
    }

    /// Drops bytes from the front: this many, or all if there are fewer.
    mutating func dropFirst(_ wanted: Int) {
        var left = max(0, min(wanted, count))
        count -= left
        while left > 0, !blocks.isEmpty {
            let isEmpty = blocks.modify(blocks.startIndex) { block in
                let length = min(left, block.readableBytes)
                block.moveReaderIndex(forwardBy: length)
                left -= length
                return block.readableBytes == 0
            }
            if isEmpty { _ = blocks.popFirst() }
        }
        if count == 0 { self = ByteQueue() }
    }
}
