package import NIOCore

/// A message of an application: bytes as they are, or a named type in JSON.
package struct Message: Hashable, Sendable {
    /// How the payload is to be read.
    package enum Form: Hashable, Sendable {
        /// Bytes as they are.
        case bytes
        /// JSON of a type that has a name and a version.
        case json(LinkName, version: UInt16)
    }

    /// What a payload has before it at most: form, length of the name, name, version.
    static let maximumHeaderLength = 1 + 1 + LinkName.maximumLength + 2
    /// What a payload has before it at least.
    static let minimumHeaderLength = 1 + 1 + 2

    fileprivate static let rawBytes: UInt8 = 0
    fileprivate static let rawJSON: UInt8 = 1

    /// How the payload is to be read.
    package var form: Form
    /// What the application says.
    package var payload: ByteBuffer

    /// Creates a message.
    package init(_ form: Form, payload: ByteBuffer) {
        self.form = form
        self.payload = payload
    }

    /// The number of bytes with form, name and version.
    var length: Int { form.headerLength + payload.readableBytes }

    /// Writes form, name, version and payload.
    func write(into buffer: inout ByteBuffer) {
        form.write(into: &buffer)
        buffer.writeImmutableBuffer(payload)
    }

    /// Reads form, name and version, behind which the payload stands; nil if it is not a message.
    static func read(from buffer: ByteBuffer) -> Message? {
        var rest = buffer
        return readForm(from: &rest).map { Message($0, payload: rest) }
    }

    /// Reads form, name and version; nil if it is not a message.
    static func readForm(from buffer: inout ByteBuffer) -> Form? {
        switch buffer.readInteger(as: UInt8.self) {
        case rawBytes:
            guard let (length, version) = buffer.readMultipleIntegers(as: (UInt8, UInt16).self), length == 0,
                version == 0
            else { return nil }
            return .bytes
        case rawJSON:
            guard let name = buffer.readLinkName(), let version = buffer.readInteger(as: UInt16.self) else {
                return nil
            }
            return .json(name, version: version)
        default:
            return nil
        }
    }
}

extension Message.Form {
    /// The number of bytes before a payload.
    var headerLength: Int {
        switch self {
        case .bytes: Message.minimumHeaderLength
        case .json(let name, _): Message.minimumHeaderLength + name.length
        }
    }

    /// Writes form, name and version.
    func write(into buffer: inout ByteBuffer) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: headerLength) { bytes in
            write(into: bytes)
            return headerLength
        }
    }

    /// Writes form, name and version to the beginning of ``headerLength`` bytes or more.
    func write(into bytes: UnsafeMutableRawBufferPointer) {
        switch self {
        case .bytes:
            bytes[0] = Message.rawBytes
            bytes[1] = 0
            bytes.storeBytes(of: 0, toByteOffset: 2, as: UInt16.self)
        case .json(let name, let version):
            bytes[0] = Message.rawJSON
            bytes[1] = UInt8(truncatingIfNeeded: name.length)
            bytes[2...].copyBytes(from: name.text.utf8)
            bytes.storeBytes(of: version.bigEndian, toByteOffset: 2 + name.length, as: UInt16.self)
        }
    }
}

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

    /// Creates it.
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
