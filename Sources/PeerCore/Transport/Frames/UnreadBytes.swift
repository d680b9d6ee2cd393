import NIOCore

/// Received bytes that are not decoded yet.
struct UnreadBytes {
    /// The bytes; a decoder reads them from here.
    var buffer = ByteBuffer()

    /// The number of bytes.
    var count: Int { buffer.readableBytes }

    /// The number of bytes of memory that the buffer occupies.
    var capacity: Int { buffer.storageCapacity }

    /// Adds bytes at the end.
    mutating func append(_ bytes: ByteBuffer) {
        if count == 0 {
            buffer = bytes
        } else {
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// Releases memory that the bytes do not need, such as the rest of the buffer into which they were read.
    mutating func compact() {
        if count == 0 {
            buffer = ByteBuffer()
        } else if capacity > 4 * count {
            buffer = ByteBuffer(buffer: buffer)
        } else {
            buffer.discardReadBytes()
        }
    }
}
