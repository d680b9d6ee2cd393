import NIOCore

/// Bytes of data frames that are passed on together.
///
/// Decrypted bytes lie in a buffer that TLS uses again: if a slice of it lived on, TLS would copy the whole buffer at the next
/// read. So they are copied into buffers in which every chunk begins where the processor hashes it fastest.
struct DataBatch {
    /// The number of bytes that are passed on together.
    static let length = 512 * 1024

    /// The capacity of a buffer into which bytes are copied; a power of two, as all capacities of buffers are.
    private static let copyLength = 512 * 1024

    /// The length of a line of the processor's cache, in bytes.
    ///
    /// What begins at a multiple of it is hashed faster by a twelfth, because no load crosses two lines.
    private static let alignment = 64

    private(set) var count = 0
    private var buffers: [ByteBuffer] = []
    /// Whether the last buffer is a copy, to which more can be added.
    private var endsWithCopy = false
    /// Where in its resource the next byte lies.
    private var offset: UInt64 = 0

    var isEmpty: Bool { buffers.isEmpty }
    var isFull: Bool { count >= Self.length }

    /// The next bytes lie here in their resource.
    mutating func begin(at offset: UInt64) { self.offset = offset }

    /// Adds bytes without a copy.
    mutating func append(_ bytes: ByteBuffer) {
        buffers.append(bytes)
        added(bytes.readableBytes)
        endsWithCopy = false
    }

    /// Adds copies of the first of some bytes, as many as a buffer holds.
    mutating func appendCopy(of bytes: inout ByteBuffer, _ allocator: ByteBufferAllocator) {
        if !endsWithCopy || buffers[buffers.count - 1].writableBytes == 0 {
            let capacity = min(bytes.readableBytes + Self.alignment, Self.copyLength)
            var buffer = allocator.buffer(capacity: capacity)
            Self.align(&buffer, to: offset)
            buffers.append(buffer)
            endsWithCopy = true
        }
        let room = buffers[buffers.count - 1].writableBytes
        guard let slice = bytes.readSlice(length: min(bytes.readableBytes, room)) else { return }
        buffers[buffers.count - 1].writeImmutableBuffer(slice)
        added(slice.readableBytes)
    }

    /// Returns the bytes and forgets them.
    mutating func take() -> [ByteBuffer] {
        defer { (buffers, count, endsWithCopy) = ([], 0, false) }
        return buffers
    }

    private mutating func added(_ length: Int) {
        count += length
        offset &+= UInt64(length)
    }

    /// Moves the beginning of an empty buffer so that the first byte's address and offset are equal but for a multiple of the
    /// alignment.
    private static func align(_ buffer: inout ByteBuffer, to offset: UInt64) {
        let address = buffer.withUnsafeMutableWritableBytes { UInt(bitPattern: $0.baseAddress) }
        let distance = Int((UInt(truncatingIfNeeded: offset) &- address) % UInt(alignment))
        buffer.moveWriterIndex(forwardBy: min(distance, buffer.writableBytes))
        buffer.moveReaderIndex(to: buffer.writerIndex)
    }
}
