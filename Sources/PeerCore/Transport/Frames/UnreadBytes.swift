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

extension UnreadBytes {
    /// Measures how long a frame has been incomplete.
    ///
    /// A plain value. Single bytes do not count as progress: the time starts again only when ``BulkPace/leastBytes`` bytes have
    /// arrived. Data frames are not measured, because their bytes are passed on as they arrive.
    struct UnfinishedFrame: Sendable {
        /// The time since which a frame has made no progress; nil if no frame is incomplete.
        private(set) var since: ContinuousClock.Instant?
        private var bytes = 0

        /// Notes received bytes; `isNew` says that they completed an earlier frame.
        mutating func received(_ count: Int, isUnfinished: Bool, isNew: Bool, at now: ContinuousClock.Instant) {
            bytes += count
            if !isUnfinished {
                since = nil
            } else if isNew || since == nil || bytes >= BulkPace.leastBytes {
                since = now
                bytes = 0
            }
        }
    }
}
