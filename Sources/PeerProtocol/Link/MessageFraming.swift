package import NIOCore

/// Splits a stream into messages, and joins messages into a stream: each message follows its length.
///
/// The framing counts bytes as they arrive and keeps none, so a length beyond the maximum is an error before the message is
/// kept. A message is cut from the stream when the application reads it.
package struct MessageFraming: Sendable {
    /// The number of bytes of a length.
    static let prefixLength = 4

    private let maximumPayloadLength: Int
    private var prefix: UInt32 = 0
    private var prefixCount = 0
    private var remaining = 0

    /// The number of complete messages that were not cut yet.
    package private(set) var wholeCount = 0

    package init(maximumPayloadLength: Int) { self.maximumPayloadLength = maximumPayloadLength }

    /// Whether no message is incomplete.
    package var isBetweenMessages: Bool { remaining == 0 && prefixCount == 0 }

    /// Bytes have arrived.
    ///
    /// - Throws: ``ProtocolError`` if a message is longer than allowed, or too short.
    package mutating func received(_ bytes: ByteBuffer) throws(ProtocolError) {
        var bytes = bytes
        while bytes.readableBytes > 0 {
            if remaining > 0 {
                let count = min(remaining, bytes.readableBytes)
                bytes.moveReaderIndex(forwardBy: count)
                remaining -= count
                if remaining == 0 { wholeCount += 1 }
                continue
            }
            if prefixCount == 0, let whole = bytes.readInteger(as: UInt32.self) {
                prefix = whole
                try begin()
                continue
            }
            guard let byte = bytes.readInteger(as: UInt8.self) else { break }
            prefix = prefix << 8 | UInt32(byte)
            prefixCount += 1
            if prefixCount == Self.prefixLength { try begin() }
        }
    }

    private mutating func begin() throws(ProtocolError) {
        let length = Int(prefix)
        prefix = 0
        prefixCount = 0
        guard length >= Message.minimumHeaderLength else { throw Self.unreadable }
        guard length <= Message.maximumHeaderLength + maximumPayloadLength else {
            throw Self.tooLong(length, maximumPayloadLength)
        }
        remaining = length
    }

    /// Returns the form of the next message without taking the message; nil if no message is complete.
    func nextForm(in queue: ByteQueue) throws(ProtocolError) -> Message.Form? {
        guard wholeCount > 0 else { return nil }
        var bytes = queue.prefix(Self.prefixLength + Message.maximumHeaderLength)
        guard let length = bytes.readInteger(as: UInt32.self),
            var header = bytes.readSlice(length: min(Int(length), bytes.readableBytes)),
            let form = Message.readForm(from: &header)
        else { throw Self.unreadable }
        return form
    }

    /// Takes the next message and following ones of the same form that are complete within a number of bytes.
    ///
    /// - Throws: ``ProtocolError`` if the form of the first message is unknown, or if its payload is too long.
    mutating func cutBatch(from queue: inout ByteQueue, atMost length: Int) throws(ProtocolError) -> MessageBatch? {
        guard wholeCount > 0 else { return nil }
        if wholeCount > 1,
            let batch = MessageBatch(
                frontOf: queue.prefix(length),
                atMost: wholeCount,
                maximumPayloadLength: maximumPayloadLength
            ), batch.count > 1
        {
            wholeCount -= batch.count
            queue.dropFirst(batch.length)
            return batch
        }
        return try cut(from: &queue).map { MessageBatch($0) }
    }

    private static func nextLength(in queue: ByteQueue) -> Int? {
        let prefix = queue.prefix(prefixLength)
        return prefix.getInteger(at: prefix.readerIndex, as: UInt32.self).map(Int.init)
    }

    /// Takes the next message; nil if no message is complete.
    mutating func cut(from queue: inout ByteQueue) throws(ProtocolError) -> Message? {
        guard wholeCount > 0 else { return nil }
        wholeCount -= 1
        guard let length = Self.nextLength(in: queue) else { throw Self.unreadable }
        queue.dropFirst(Self.prefixLength)
        guard let message = Message.read(from: queue.removeFirst(length)) else { throw Self.unreadable }
        guard message.payload.readableBytes <= maximumPayloadLength else {
            throw Self.tooLong(message.payload.readableBytes, maximumPayloadLength)
        }
        return message
    }

    /// Returns a message that follows its length.
    ///
    /// - Throws: ``ProtocolError`` if the payload is longer than the other side allows.
    package static func join(_ message: Message, maximumPayloadLength: Int) throws(ProtocolError) -> ByteBuffer {
        guard message.payload.readableBytes <= maximumPayloadLength else {
            throw ProtocolError(
                .limitExceeded,
                "The message has \(message.payload.readableBytes) bytes; the other side takes at most "
                    + "\(maximumPayloadLength). Send it as a resource."
            )
        }
        var buffer = ByteBufferAllocator().buffer(capacity: prefixLength + message.length)
        buffer.writeInteger(UInt32(truncatingIfNeeded: message.length))
        message.write(into: &buffer)
        return buffer
    }

    /// The number of bytes of a message with its length.
    static func length(_ form: Message.Form, _ payloadLength: Int) -> Int {
        prefixLength + form.headerLength + payloadLength
    }

    /// Writes a message behind its length.
    static func write(_ form: Message.Form, _ payload: UnsafeRawBufferPointer, into buffer: inout ByteBuffer) {
        let length = length(form, payload.count)
        // In one step: each one of a buffer takes longer than copying a short message.
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { bytes in
            bytes.storeBytes(of: UInt32(truncatingIfNeeded: length - prefixLength).bigEndian, as: UInt32.self)
            form.write(into: UnsafeMutableRawBufferPointer(rebasing: bytes[prefixLength...]))
            bytes[(length - payload.count)...].copyBytes(from: payload)
            return length
        }
    }

    private static func tooLong(_ length: Int, _ maximum: Int) -> ProtocolError {
        ProtocolError(
            .limitExceeded,
            "The other side sent a message of \(length) bytes; at most \(maximum) are allowed."
        )
    }

    private static let unreadable = ProtocolError(
        .invalidFrame,
        "The other side sent a message in a form that cannot be read."
    )
}
