package import NIOCore

extension Credit {
    /// How much a stream may carry.
    package struct Limit: Hashable, Sendable {
        /// The stream.
        package var stream: UInt32
        /// How many bytes the stream may have carried in all, from its opening on.
        package var limit: UInt64

        package init(stream: UInt32, limit: UInt64) {
            self.stream = stream
            self.limit = limit
        }
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
    package var limits: [Limit]

    package init(received: UInt64, limits: [Limit] = []) {
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
        var limits: [Limit] = []
        limits.reserveCapacity(rest.readableBytes / 12)
        while let (stream, limit) = rest.readMultipleIntegers(as: (UInt32, UInt64).self) {
            limits.append(Limit(stream: stream, limit: limit))
        }
        self.init(received: received, limits: limits)
    }
}
