package import NIOCore

/// What a stream carries.
package enum StreamKind: UInt8, Hashable, Sendable, CaseIterable {
    /// The messages of one channel, from the side that opened it.
    case messages = 1
    /// A request, and its answer in the other direction.
    case request = 2
    /// Bytes of the application.
    case bytes = 3
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
    package var kind: StreamKind
    /// Whether only the side that opens the stream sends; always so for messages, never for a request.
    package var isOneWay: Bool
    /// The name of the channel or of the request, which is a ``LinkName``; of a stream of bytes, any text.
    package var name: String
    /// What the application says of the stream.
    package var metadata: ByteBuffer

    /// Creates an opening.
    package init(
        stream: UInt32,
        kind: StreamKind,
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
        let hasName =
            kind == .bytes
            ? !name.isEmpty && name.utf8.count <= Self.maximumNameLength
            : LinkName(name) != nil
        let hasDirection =
            switch kind {
            case .messages: isOneWay
            case .request: !isOneWay
            case .bytes: true
            }
        return hasName && hasDirection && metadata.readableBytes <= Self.maximumMetadataLength
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
            let kind = StreamKind(rawValue: rawKind), flags & ~Self.oneWayFlag == 0
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
            "The other side sent the frame “\(frame)” with more or longer entries than allowed."
        )
    }
}
