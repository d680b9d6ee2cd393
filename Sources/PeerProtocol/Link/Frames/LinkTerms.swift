import FoundationEssentials
package import NIOCore

extension LinkTerms {
    /// A kind of message that a side can read, and the newest version of it.
    package struct MessageType: Hashable, Sendable, Codable {
        /// The name; not checked, because a name that this side does not know has no meaning for it.
        package var name: String
        /// The newest version.
        package var version: UInt16

        package init(name: LinkName, version: UInt16) {
            self.name = name.text
            self.version = version
        }
    }
}

/// What a side says of a link on each of its connections: the payload of the frame `link`.
package struct LinkTerms: Hashable, Sendable, Codable {
    /// The longest payload.
    package static let maximumLength = 65_536
    /// The numbers that a link or a connection can have.
    static let numbers: ClosedRange<UInt64> = 0...UInt64(UInt32.max)
    /// The first windows and the messages that a side may allow.
    static let windows = 16_384...16_777_216
    static let messageLengths = 1024...16_777_216
    static let maximumTypeCount = 64
    /// The most addresses that a side can name.
    package static let maximumAddressCount = 16
    /// A host name of 253 bytes, brackets, a colon and a port.
    static let maximumAddressLength = 262
    /// The most records that a link can have: the largest integer that every reader of JSON knows exactly.
    static let maximumRecordCount: UInt64 = 1 << 53 - 1

    /// Which link is meant: one more than the last for a new one.
    package var epoch: UInt64
    /// How many connections the side has made; in the answer, with this one.
    package var connectionCount: UInt64
    /// How many records of the other side this side has received on the link.
    package var received: UInt64
    /// What a stream of requests or of bytes may carry before its first credit.
    package var window: Int
    /// The longest message that the side takes, its payload, in bytes.
    package var maximumMessageLength: Int
    /// The messages and requests that the side can read.
    package var messageTypes: [MessageType]
    /// Where the side listens, as `HOST:PORT`; not parsed here.
    package var addresses: [String]

    /// Creates terms.
    package init(
        epoch: UInt64,
        connectionCount: UInt64,
        received: UInt64,
        window: Int,
        maximumMessageLength: Int,
        messageTypes: [MessageType] = [],
        addresses: [String] = []
    ) {
        self.epoch = epoch
        self.connectionCount = connectionCount
        self.received = received
        self.window = window
        self.maximumMessageLength = maximumMessageLength
        self.messageTypes = messageTypes
        self.addresses = addresses
    }

    /// Whether every number and every length is allowed.
    var isWithinBounds: Bool {
        Self.numbers.contains(epoch) && epoch > 0 && Self.numbers.contains(connectionCount)
            && received <= Self.maximumRecordCount && Self.windows.contains(window)
            && Self.messageLengths.contains(maximumMessageLength) && messageTypes.count <= Self.maximumTypeCount
            && messageTypes.allSatisfy { $0.name.utf8.count <= LinkName.maximumLength }
            && addresses.count <= Self.maximumAddressCount
            && addresses.allSatisfy { $0.utf8.count <= Self.maximumAddressLength }
    }

    /// Writes the payload.
    ///
    /// - Throws: ``ProtocolError`` if the other side would refuse it.
    package func encoded() throws(ProtocolError) -> ByteBuffer {
        guard isWithinBounds else { throw .tooLong("link") }
        return try ControlJSON.encode(self, "link", atMost: Self.maximumLength)
    }

    /// Reads a payload.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or if a part is beyond its bounds.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        self = try ControlJSON.decode(LinkTerms.self, payload, "link", atMost: Self.maximumLength)
        guard isWithinBounds else { throw .tooLong("link") }
    }
}

/// Frames of a link that are JSON.
extension ControlJSON {
    static func encode(
        _ value: some Encodable,
        _ frame: String,
        atMost maximum: Int
    ) throws(ProtocolError) -> ByteBuffer {
        let data = try ControlJSON.encode(value, called: "The frame “\(frame)”")
        guard data.count <= maximum else { throw .tooLong(frame) }
        return ByteBuffer(bytes: data)
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ payload: ByteBuffer,
        _ frame: String,
        atMost maximum: Int
    ) throws(ProtocolError) -> Value {
        guard payload.readableBytes <= maximum else { throw .tooLong(frame) }
        let data = Data(payload.readableBytesView)
        return try ControlJSON.decode(type, from: data, called: "The other side sent the frame “\(frame)”, which")
    }
}
