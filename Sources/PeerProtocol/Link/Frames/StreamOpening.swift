package import NIOCore

extension StreamOpening {
    /// What a stream carries.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// The messages of one channel, from the side that opened it.
        case messages = 1
        /// The short requests of the side that opened it, and in the other direction their answers.
        case requests = 2
        /// Bytes of the application.
        case bytes = 3
        /// The long requests of the side that opened it, and in the other direction long answers.
        case longRequests = 4

        /// Whether the stream carries requests and answers.
        package var isForRequests: Bool { self == .requests || self == .longRequests }
    }
}

/// A side opens a stream: the payload of the frame `open`.
package struct StreamOpening: Hashable, Sendable {
    /// The longest name of a stream of bytes, in bytes of UTF-8.
    package static let maximumNameLength = 255
    /// The most metadata, in bytes.
    package static let maximumMetadataLength = 4096
    /// The longest payload.
    package static let maximumLength = 4 + 1 + 1 + 2 + maximumNameLength + 2 + maximumMetadataLength

    private static let oneWayFlag: UInt8 = 1

    /// The number of the stream: even or odd by the side that opens it, and higher than its last.
    package var stream: UInt32
    /// What the stream carries.
    package var kind: StreamOpening.Kind
    /// Whether only the side that opens the stream sends; always so for messages, never for requests.
    package var isOneWay: Bool
    /// The name of the channel, which is a ``LinkName``; of a stream of bytes, any text; of requests, none.
    package var name: String
    /// What the application says of the stream; nothing of requests.
    package var metadata: ByteBuffer

    package init(
        stream: UInt32,
        kind: StreamOpening.Kind,
        isOneWay: Bool,
        name: String,
        metadata: ByteBuffer = ByteBuffer()
    ) {
        self.stream = stream
        self.kind = kind
        self.isOneWay = isOneWay
        self.name = name
        self.metadata = metadata
    }

    /// Whether a peer would take it, its number aside.
    package var isValid: Bool {
        guard metadata.readableBytes <= Self.maximumMetadataLength else { return false }
        return switch kind {
        case .messages: isOneWay && LinkName(name) != nil
        case .requests, .longRequests: !isOneWay && name.isEmpty && metadata.readableBytes == 0
        case .bytes: !name.isEmpty && name.utf8.count <= Self.maximumNameLength
        }
    }

    /// Writes the payload.
    package func encoded() -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: 10 + name.utf8.count + metadata.readableBytes)
        buffer.writeMultipleIntegers(
            stream,
            kind.rawValue,
            isOneWay ? Self.oneWayFlag : 0,
            UInt16(truncatingIfNeeded: name.utf8.count)
        )
        buffer.writeString(name)
        buffer.writeInteger(UInt16(truncatingIfNeeded: metadata.readableBytes))
        buffer.writeImmutableBuffer(metadata)
        return buffer
    }

    /// Reads a payload.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or if a part is too long.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        var rest = payload
        guard payload.readableBytes <= Self.maximumLength else { throw .tooLong("open") }
        guard
            let (stream, rawKind, flags, nameLength) = rest.readMultipleIntegers(
                as: (UInt32, UInt8, UInt8, UInt16).self
            ),
            let kind = StreamOpening.Kind(rawValue: rawKind), flags & ~Self.oneWayFlag == 0
        else { throw .unreadable("open") }
        guard nameLength <= Self.maximumNameLength else { throw .tooLong("open") }
        guard let name = rest.readText(length: Int(nameLength)), let length = rest.readInteger(as: UInt16.self) else {
            throw .unreadable("open")
        }
        guard length <= Self.maximumMetadataLength else { throw .tooLong("open") }
        guard rest.readableBytes == Int(length) else { throw .unreadable("open") }
        self.init(
            stream: stream,
            kind: kind,
            isOneWay: flags & Self.oneWayFlag != 0,
            name: name,
            metadata: rest.copied()
        )
        guard isValid else { throw .unreadable("open") }
    }
}

extension ProtocolError {
    /// A payload has not the form of its frame.
    static func unreadable(_ frame: String) -> ProtocolError {
        ProtocolError(.invalidFrame, "The other side sent the frame “\(frame)” in a form that cannot be read.")
    }

    /// A payload or a part of it is longer than allowed.
    static func tooLong(_ frame: String) -> ProtocolError {
        ProtocolError(
            .limitExceeded,
            "The frame “\(frame)” has more or longer entries than allowed."
        )
    }
}
