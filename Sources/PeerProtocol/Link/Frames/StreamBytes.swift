package import NIOCore

/// Some bytes of a stream: the payload of the frame `bytes`.
package struct StreamBytes: Hashable, Sendable {
    /// What stands before the bytes.
    package static let prefixLength = 4
    /// The most bytes in one frame.
    package static let maximumLength = 65_536

    /// The stream that they belong to.
    package var stream: UInt32
    /// The bytes, at least one.
    package var bytes: ByteBuffer

    /// Creates it.
    package init(stream: UInt32, bytes: ByteBuffer) {
        self.stream = stream
        self.bytes = bytes
    }

    /// Writes the payload.
    package func encoded() -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: Self.prefixLength + bytes.readableBytes)
        buffer.writeInteger(stream)
        buffer.writeImmutableBuffer(bytes)
        return buffer
    }

    /// Reads a payload; the bytes share its storage.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or too long.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        var rest = payload
        guard payload.readableBytes <= Self.prefixLength + Self.maximumLength else { throw .tooLong("bytes") }
        guard let stream = rest.readInteger(as: UInt32.self), rest.readableBytes > 0 else {
            throw .unreadable("bytes")
        }
        self.init(stream: stream, bytes: rest)
    }
}
