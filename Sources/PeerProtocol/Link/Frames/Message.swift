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

    private static let rawBytes: UInt8 = 0
    private static let rawJSON: UInt8 = 1

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
    var length: Int {
        switch form {
        case .bytes: Self.minimumHeaderLength + payload.readableBytes
        case .json(let name, _): Self.minimumHeaderLength + name.length + payload.readableBytes
        }
    }

    /// The memory that it takes.
    package var heldLength: Int { Record.overhead + payload.storageCapacity }

    /// Writes form, name, version and payload.
    func write(into buffer: inout ByteBuffer) {
        switch form {
        case .bytes:
            buffer.writeMultipleIntegers(Self.rawBytes, UInt8(0), UInt16(0))
        case .json(let name, let version):
            buffer.writeInteger(Self.rawJSON)
            buffer.writeLinkName(name)
            buffer.writeInteger(version)
        }
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
