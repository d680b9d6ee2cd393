package import NIOCore

/// A message that is sent at once or not at all: the payload of the frame `droppable`.
package struct DroppableMessage: Hashable, Sendable {
    /// The longest key, in bytes of UTF-8.
    package static let maximumKeyLength = 64
    /// The longest payload of the message itself.
    package static let maximumPayloadLength = 16_384
    /// The longest payload of the frame.
    package static let maximumLength =
        1 + LinkName.maximumLength + 1 + maximumKeyLength + Message.maximumHeaderLength + maximumPayloadLength

    /// The channel.
    package var channel: LinkName
    /// What the message is about, so that a newer one about the same takes its place; empty if none does.
    package var key: String
    /// What the application says.
    package var message: Message

    package init(channel: LinkName, key: String = "", message: Message) {
        self.channel = channel
        self.key = key
        self.message = message
    }

    /// Whether no part is longer than allowed.
    package var isValid: Bool {
        key.utf8.count <= Self.maximumKeyLength && message.payload.readableBytes <= Self.maximumPayloadLength
    }

    /// The number of bytes of the frame's payload.
    package var length: Int { 1 + channel.length + 1 + key.utf8.count + message.length }

    /// Writes the payload.
    package func encoded() -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: length)
        buffer.writeLinkName(channel)
        buffer.writeInteger(UInt8(truncatingIfNeeded: key.utf8.count))
        buffer.writeString(key)
        message.write(into: &buffer)
        return buffer
    }

    /// Reads a payload.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or if a part is too long.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        var rest = payload
        guard payload.readableBytes <= Self.maximumLength else { throw .tooLong("droppable") }
        guard let channel = rest.readLinkName(), let keyLength = rest.readInteger(as: UInt8.self) else {
            throw .unreadable("droppable")
        }
        guard keyLength <= Self.maximumKeyLength else { throw .tooLong("droppable") }
        guard let key = rest.readText(length: Int(keyLength)), var message = Message.read(from: rest) else {
            throw .unreadable("droppable")
        }
        guard message.payload.readableBytes <= Self.maximumPayloadLength else { throw .tooLong("droppable") }
        message.payload = message.payload.copied()
        self.init(channel: channel, key: key, message: message)
    }
}
