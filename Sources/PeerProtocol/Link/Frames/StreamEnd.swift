package import NIOCore

/// A side ends one direction of a stream, or both: the payload of the frame `end`.
package struct StreamEnd: Hashable, Sendable {
    /// Why a stream ends.
    package enum Code: UInt8, Hashable, Sendable, CaseIterable {
        /// This side sends no more; the other direction stays open.
        case finished = 0
        /// The application gives the stream up; also stands for any code that is not known.
        case cancelled = 1
        /// The application does not want the stream.
        case refused = 2
        /// The application has nothing that takes streams of this name.
        case notTaken = 3
        /// The maximum number of streams is open.
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
