package import NIOCore

/// Some bytes of a stream: the payload of the frame `bytes`.
package struct StreamBytes: Hashable, Sendable {
    /// The length of the number of the stream, which precedes the bytes.
    package static let prefixLength = 4
    /// The length of what precedes the bytes in their frame.
    static let headLength = FrameHeader.byteCount + prefixLength
    /// The most bytes in one frame.
    package static let maximumLength = 65_536

    /// The stream that they belong to.
    package var stream: UInt32
    /// The bytes, at least one.
    package var bytes: ByteBuffer

    package init(stream: UInt32, bytes: ByteBuffer) {
        self.stream = stream
        self.bytes = bytes
    }

    /// Makes an empty buffer for bytes of a stream; with room before them, so that they need not be copied behind the head of
    /// their frame.
    package static func buffer(capacity: Int) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: headLength + capacity)
        buffer.moveWriterIndex(forwardBy: headLength)
        buffer.moveReaderIndex(forwardBy: headLength)
        return buffer
    }

    /// Writes the head of a frame into the room before the bytes, and adds the number of the stream to them.
    ///
    /// The buffer then is the payload of the frame, and ``Record/frame`` need not copy it.
    static func writeHead(of stream: UInt32, into buffer: inout ByteBuffer) {
        let start = buffer.readerIndex - headLength
        let header = FrameHeader(rawType: FrameType.bytes.rawValue, payloadLength: prefixLength + buffer.readableBytes)
        buffer.setInteger(header.word, at: start)
        buffer.setInteger(stream, at: start + FrameHeader.byteCount)
        buffer.moveReaderIndex(to: start + FrameHeader.byteCount)
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
