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
            "The frame “\(frame)” has more or longer entries than allowed."
        )
    }
}

/// Some bytes of a stream: the payload of the frame `bytes`.
package struct StreamBytes: Hashable, Sendable {
    /// What stands before the bytes.
    package static let prefixLength = 4
    /// The most bytes in one frame.
    package static let maximumLength = 65_536

    /// The stream that they belong to.
    package var stream: UInt32
    /// The bytes, at least one.
    package var bytes: ByteBuffer

    /// Creates it.
    package init(stream: UInt32, bytes: ByteBuffer) {
        self.stream = stream
        self.bytes = bytes
    }

    /// Makes an empty buffer for bytes of a stream; with room before them, so that they need not be copied behind its number.
    package static func buffer(capacity: Int) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: prefixLength + capacity)
        buffer.moveWriterIndex(forwardBy: prefixLength)
        buffer.moveReaderIndex(forwardBy: prefixLength)
        return buffer
    }

    /// Writes the payload.
    package func encoded() -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: Self.prefixLength + bytes.readableBytes)
        buffer.writeInteger(stream)
        buffer.writeImmutableBuffer(bytes)
        return buffer
    }

    /// Reads a payload; the bytes share its storage.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or too long.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        var rest = payload
        guard payload.readableBytes <= Self.prefixLength + Self.maximumLength else { throw .tooLong("bytes") }
        guard let stream = rest.readInteger(as: UInt32.self), rest.readableBytes > 0 else {
            throw .unreadable("bytes")
        }
        self.init(stream: stream, bytes: rest)
    }
}

/// A side ends one direction of a stream, or both: the payload of the frame `end`.
package struct StreamEnd: Hashable, Sendable {
    /// Why a stream ends.
    package enum Code: UInt8, Hashable, Sendable, CaseIterable {
        /// No more comes from this side; the other direction goes on.
        case finished = 0
        /// The application gives the stream up; also stands for any code that is not known.
        case cancelled = 1
        /// The application does not want the stream.
        case refused = 2
        /// The application has nothing that takes streams of this name.
        case notTaken = 3
        /// There are as many streams as there may be.
        case tooMany = 4
        /// What the stream carries is too large.
        case tooLarge = 5
    }

    /// The longest reason, in bytes of UTF-8.
    package static let maximumReasonLength = 1000
    /// The longest payload.
    package static let maximumLength = 4 + 1 + 2 + maximumReasonLength

    /// The stream.
    package var stream: UInt32
    /// Why; ``Code/finished`` ends one direction, every other code both.
    package var code: Code
    /// The reason in words.
    package var reason: String

    /// Creates an end; a reason that is too long is cut.
    package init(stream: UInt32, code: Code, reason: String = "") {
        self.stream = stream
        self.code = code
        self.reason = reason.prefix(utf8Count: Self.maximumReasonLength)
    }

    /// Writes the payload.
    package func encoded() -> ByteBuffer {
        let reason = reason.prefix(utf8Count: Self.maximumReasonLength)
        var buffer = ByteBufferAllocator().buffer(capacity: 7 + reason.utf8.count)
        buffer.writeMultipleIntegers(stream, code.rawValue, UInt16(truncatingIfNeeded: reason.utf8.count))
        buffer.writeString(reason)
        return buffer
    }

    /// Reads a payload.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or too long.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        var rest = payload
        guard payload.readableBytes <= Self.maximumLength else { throw .tooLong("end") }
        guard let (stream, rawCode, length) = rest.readMultipleIntegers(as: (UInt32, UInt8, UInt16).self) else {
            throw .unreadable("end")
        }
        guard length <= Self.maximumReasonLength else { throw .tooLong("end") }
        guard rest.readableBytes == Int(length), let reason = rest.readText(length: Int(length)) else {
            throw .unreadable("end")
        }
        self.init(stream: stream, code: Code(rawValue: rawCode) ?? .cancelled, reason: reason)
    }
}
