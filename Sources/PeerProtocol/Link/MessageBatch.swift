import NIOCore

/// Messages of one form that follow one another on a stream, in one buffer.
package struct MessageBatch: Hashable, Sendable {
    /// How the payloads are to be read.
    package let form: Message.Form
    /// The number of messages that were not taken yet.
    package private(set) var count: Int
    /// The messages, each behind its length and header; without those, the payload of a single one.
    private var bytes: ByteBuffer
    /// The number of bytes between the length and the payload of a message; nil if there are neither.
    private let headerLength: Int?

    /// Creates a batch of one message.
    package init(_ message: Message) {
        form = message.form
        count = 1
        bytes = message.payload
        headerLength = nil
    }

    /// Creates a batch of the messages at the front that have the form of the first one.
    ///
    /// It ends before a message that is too long, so that its error is found when it is read alone. Nil if no message fits.
    ///
    /// - `maximumCount`: The number of complete messages; the bytes may contain fewer.
    init?(frontOf bytes: ByteBuffer, atMost maximumCount: Int, maximumPayloadLength: Int) {
        let prefixLength = MessageFraming.prefixLength
        var first = bytes
        guard first.readInteger(as: UInt32.self) != nil, let form = Message.readForm(from: &first) else { return nil }
        let headerLength = form.headerLength
        let counted = bytes.withUnsafeReadableBytes { all in
            // The first message has both.
            let header = all.dropFirst(prefixLength).prefix(headerLength)
            var (count, end) = (0, 0)
            while count < maximumCount, all.count - end >= prefixLength + headerLength {
                let length = Int(UInt32(bigEndian: all.loadUnaligned(fromByteOffset: end, as: UInt32.self)))
                let rest = all.count - end - prefixLength
                guard length >= headerLength, length - headerLength <= maximumPayloadLength, length <= rest,
                    all[(end + prefixLength)..<(end + prefixLength + headerLength)].elementsEqual(header)
                else { break }
                count += 1
                end += prefixLength + length
            }
            return (count: count, end: end)
        }
        guard counted.count > 0, let front = bytes.getSlice(at: bytes.readerIndex, length: counted.end) else {
            return nil
        }
        self.form = form
        self.count = counted.count
        self.bytes = front
        self.headerLength = headerLength
    }

    /// The number of bytes of the messages that were not taken yet.
    var length: Int { bytes.readableBytes }

    /// The memory that it takes until it is released.
    package var heldLength: Int { bytes.storageCapacity }

    /// Takes the first message, whose payload shares the memory of the batch; nil if there is none.
    package mutating func popFirst() -> Message? {
        guard count > 0 else { return nil }
        count -= 1
        guard let headerLength else { return Message(form, payload: bytes) }
        // The lengths were checked when the batch was made.
        guard let length = bytes.readInteger(as: UInt32.self), var whole = bytes.readSlice(length: Int(length)),
            whole.readableBytes >= headerLength
        else { return nil }
        whole.moveReaderIndex(forwardBy: headerLength)
        return Message(form, payload: whole)
    }
}
