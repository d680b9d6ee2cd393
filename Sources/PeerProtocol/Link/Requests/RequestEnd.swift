import NIOCore

/// Why a request is not answered.
package struct RequestEnd: Hashable, Sendable {
    /// Who or what refuses; the numbers are those of ``StreamEnd/Code``.
    package enum Cause: UInt8, Hashable, Sendable, CaseIterable {
        /// The application refuses; also stands for any cause that is not known.
        case refused = 2
        /// The application has nothing that answers requests of this type.
        case notTaken = 3
        /// Too many requests are unanswered.
        case tooMany = 4
        /// The answer is too long.
        case tooLarge = 5
    }

    /// The longest code of an application, in bytes of UTF-8.
    package static let maximumCodeLength = 64
    /// The longest reason, in bytes of UTF-8.
    package static let maximumReasonLength = StreamEnd.maximumReasonLength

    /// Who or what refuses.
    package var cause: Cause
    /// What the application calls its reason, for the application at the other side; may be empty.
    package var code: String
    /// The reason in words.
    package var reason: String

    /// Creates an end; a code or a reason that is too long is cut.
    package init(_ cause: Cause, code: String = "", reason: String = "") {
        self.cause = cause
        self.code = code.prefix(utf8Count: Self.maximumCodeLength)
        self.reason = reason.prefix(utf8Count: Self.maximumReasonLength)
    }

    /// Writes cause, code and reason.
    func encoded() -> ByteBuffer {
        let code = code.prefix(utf8Count: Self.maximumCodeLength)
        let reason = reason.prefix(utf8Count: Self.maximumReasonLength)
        var buffer = ByteBuffer()
        buffer.writeMultipleIntegers(cause.rawValue, UInt8(truncatingIfNeeded: code.utf8.count))
        buffer.writeString(code)
        buffer.writeInteger(UInt16(truncatingIfNeeded: reason.utf8.count))
        buffer.writeString(reason)
        return buffer
    }

    /// Reads cause, code and reason.
    ///
    /// - Throws: ``ProtocolError`` if they are not readable, or too long.
    init(decoding bytes: ByteBuffer) throws(ProtocolError) {
        var rest = bytes
        guard let (rawCause, codeLength) = rest.readMultipleIntegers(as: (UInt8, UInt8).self) else {
            throw RequestEntry.unreadable
        }
        guard codeLength <= Self.maximumCodeLength else { throw Self.tooLong }
        guard let code = rest.readText(length: Int(codeLength)), let length = rest.readInteger(as: UInt16.self) else {
            throw RequestEntry.unreadable
        }
        guard length <= Self.maximumReasonLength else { throw Self.tooLong }
        guard rest.readableBytes == Int(length), let reason = rest.readText(length: Int(length)) else {
            throw RequestEntry.unreadable
        }
        self.init(Cause(rawValue: rawCause) ?? .refused, code: code, reason: reason)
    }

    private static let tooLong = ProtocolError(
        .limitExceeded,
        "The other side refused a request with a longer code or reason than allowed."
    )
}
