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

    /// Creates a record.
    package init(_ kind: Kind, payload: ByteBuffer) {
        self.kind = kind
        self.payload = payload
    }

    /// The number of bytes on the wire.
    package var length: Int { FrameHeader.byteCount + payload.readableBytes }

    /// What it takes of the memory for unacknowledged records.
    package var cost: Int { Self.cost(ofPayload: payload.readableBytes) }

    /// Buffers have a power of two of bytes.
    package static func cost(ofPayload length: Int) -> Int {
        let length = max(length, 16)
        return overhead + 1 << (Int.bitWidth - (length - 1).leadingZeroBitCount)
    }
}

/// How much a stream may carry.
package struct StreamCredit: Hashable, Sendable {
    /// The stream.
    package var stream: UInt32
    /// How many bytes the stream may have carried in all, from its opening on.
    package var limit: UInt64

    /// Creates it.
    package init(stream: UInt32, limit: UInt64) {
        self.stream = stream
        self.limit = limit
    }
}

/// An acknowledgement, and how much streams may carry: the payload of the frame `credit`.
///
/// All its numbers count from the beginning, so it may be lost and repeated.
package struct Credit: Hashable, Sendable {
    /// The most streams in one frame.
    package static let maximumCount = 256
    /// The longest payload.
    package static let maximumLength = 8 + 12 * maximumCount

    /// How many records of the other side have been received on the link.
    package var received: UInt64
    /// The limits of streams.
    package var limits: [StreamCredit]

    /// Creates it.
    package init(received: UInt64, limits: [StreamCredit] = []) {
        self.received = received
        self.limits = limits
    }

    /// Writes the payload, with at most ``maximumCount`` streams.
    package func encoded() -> ByteBuffer {
        let limits = limits.prefix(Self.maximumCount)
        var buffer = ByteBufferAllocator().buffer(capacity: 8 + 12 * limits.count)
        buffer.writeInteger(received)
        for credit in limits { buffer.writeMultipleIntegers(credit.stream, credit.limit) }
        return buffer
    }

    /// Reads a payload.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or too long.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        var rest = payload
        guard payload.readableBytes <= Self.maximumLength else { throw .tooLong("credit") }
        guard let received = rest.readInteger(as: UInt64.self), rest.readableBytes.isMultiple(of: 12) else {
            throw .unreadable("credit")
        }
        var limits: [StreamCredit] = []
        limits.reserveCapacity(rest.readableBytes / 12)
        while let (stream, limit) = rest.readMultipleIntegers(as: (UInt32, UInt64).self) {
            limits.append(StreamCredit(stream: stream, limit: limit))
        }
        self.init(received: received, limits: limits)
    }
}
