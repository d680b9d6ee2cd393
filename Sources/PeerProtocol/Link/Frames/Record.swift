package import NIOCore

/// A numbered frame of a link: it is kept until the other side acknowledges it, and sent again on a new connection.
///
/// The number is not written. Records are counted from 1 in each direction, over all connections of the link.
package struct Record: Hashable, Sendable {
    /// The frames that are records; the raw value is the frame's type.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// What a member knows of the members of the group: ``MemberList``.
        case members = 0x31
        /// A stream begins: ``StreamOpening``.
        case open = 0x32
        /// Bytes of a stream: ``StreamBytes``.
        case bytes = 0x34
        /// A stream ends: ``StreamEnd``.
        case end = 0x36
        /// A word on a resource: ``ResourceNotice``.
        case resource = 0x37

        /// The frame's type.
        var frameType: FrameType {
            switch self {
            case .members: .members
            case .open: .open
            case .bytes: .bytes
            case .end: .end
            case .resource: .resource
            }
        }
    }

    /// The memory of a record beyond that of its payload.
    static let overhead = 64

    /// Which frame it is.
    package var kind: Kind
    /// The frame's payload.
    package var payload: ByteBuffer

    package init(_ kind: Kind, payload: ByteBuffer) {
        self.kind = kind
        self.payload = payload
    }

    /// The number of bytes on the wire.
    package var length: Int { FrameHeader.byteCount + payload.readableBytes }

    /// The bytes of the frame, without a copy; nil if the payload does not lie behind the head of its frame.
    package var frame: ByteBuffer? {
        guard payload.readerIndex >= FrameHeader.byteCount else { return nil }
        var frame = payload
        frame.moveReaderIndex(to: payload.readerIndex - FrameHeader.byteCount)
        let header = FrameHeader(rawType: kind.rawValue, payloadLength: payload.readableBytes)
        // Whatever else may lie there: if it is the header of this frame, it is right.
        return frame.getInteger(at: frame.readerIndex) == header.word ? frame : nil
    }

    /// What it takes of the memory for unacknowledged records.
    package var cost: Int { Self.cost(ofPayload: payload.readableBytes) }

    /// Buffers have a power of two of bytes, and the header of the frame may lie before the payload.
    package static func cost(ofPayload length: Int) -> Int {
        let length = max(FrameHeader.byteCount + length, 16)
        return overhead + 1 << (Int.bitWidth - (length - 1).leadingZeroBitCount)
    }
}
