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
