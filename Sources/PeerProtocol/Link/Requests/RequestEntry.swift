package import NIOCore

/// What a stream of requests carries: a request, its withdrawal, its answer or its refusal. ("Sessions", section "bytes".)
///
/// A payload that was read shares the memory of the bytes in which it arrived.
package enum RequestEntry: Hashable, Sendable {
    /// The opener of the stream asks; the payload is JSON of a type that has this name.
    case request(UInt64, LinkName, version: UInt16, payload: ByteBuffer)
    /// The opener of the stream no longer waits for the answer.
    case withdrawal(UInt64)
    /// The other side answers; the payload is JSON.
    case answer(UInt64, payload: ByteBuffer)
    /// The other side does not answer.
    case refusal(UInt64, RequestEnd)

    /// The number of bytes of a length, a type and a number, which each entry begins with.
    static let headerLength = 4 + 1 + 8
    /// What a request has before its payload at most.
    static let maximumHeaderLength = headerLength + 1 + LinkName.maximumLength + 2

    /// The type of an entry on the wire.
    enum Kind: UInt8 {
        case request = 0
        case withdrawal = 1
        case answer = 2
        case refusal = 3
    }

    /// Whether a request of this number is long.
    package static func isLong(_ number: UInt64) -> Bool { !number.isMultiple(of: 2) }

    /// The number of the request.
    package var number: UInt64 {
        switch self {
        case .request(let number, _, _, _), .withdrawal(let number), .answer(let number, _), .refusal(let number, _):
            number
        }
    }

    /// Reads an entry, from its type to its end.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or if a part of it is too long.
    init(reading bytes: ByteBuffer, maximumPayloadLength: Int) throws(ProtocolError) {
        var rest = bytes
        guard let (rawKind, number) = rest.readMultipleIntegers(as: (UInt8, UInt64).self),
            let kind = Kind(rawValue: rawKind)
        else {
            throw Self.unreadable
        }
        switch kind {
        case .request:
            guard let name = rest.readLinkName(), let version = rest.readInteger(as: UInt16.self) else {
                throw Self.unreadable
            }
            try Self.check(rest, maximumPayloadLength)
            self = .request(number, name, version: version, payload: rest)
        case .withdrawal:
            guard rest.readableBytes == 0 else { throw Self.unreadable }
            self = .withdrawal(number)
        case .answer:
            try Self.check(rest, maximumPayloadLength)
            self = .answer(number, payload: rest)
        case .refusal: self = .refusal(number, try RequestEnd(decoding: rest))
        }
    }

    private static func check(_ payload: ByteBuffer, _ maximum: Int) throws(ProtocolError) {
        guard payload.readableBytes <= maximum else {
            throw ProtocolError(
                .limitExceeded,
                "The other side sent a request or an answer of \(payload.readableBytes) bytes; at most \(maximum) are allowed."
            )
        }
    }

    static let unreadable = ProtocolError(
        .invalidFrame,
        "The other side sent a request or an answer in a form that cannot be read."
    )
}

extension RequestEntry {
    /// The number of bytes of a request.
    static func requestLength(_ name: LinkName, _ payloadLength: Int) -> Int {
        headerLength + 1 + name.length + 2 + payloadLength
    }

    /// Writes a request; `length` is ``requestLength(_:_:)``.
    static func writeRequest(
        _ number: UInt64,
        _ name: LinkName,
        version: UInt16,
        _ payload: UnsafeRawBufferPointer,
        length: Int,
        into buffer: inout ByteBuffer
    ) {
        // In one step: each one of a buffer takes longer than copying a short request.
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { bytes in
            writeHeader(.request, number, length: length, into: bytes)
            bytes[headerLength] = UInt8(truncatingIfNeeded: name.length)
            bytes[(headerLength + 1)...].copyBytes(from: name.text.utf8)
            bytes.storeBytes(of: version.bigEndian, toByteOffset: headerLength + 1 + name.length, as: UInt16.self)
            bytes[(length - payload.count)...].copyBytes(from: payload)
            return length
        }
    }

    /// Writes an answer of ``headerLength`` more bytes than its payload.
    static func writeAnswer(_ number: UInt64, _ payload: UnsafeRawBufferPointer, into buffer: inout ByteBuffer) {
        let length = headerLength + payload.count
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { bytes in
            writeHeader(.answer, number, length: length, into: bytes)
            bytes[headerLength...].copyBytes(from: payload)
            return length
        }
    }

    private static func writeHeader(
        _ kind: Kind,
        _ number: UInt64,
        length: Int,
        into bytes: UnsafeMutableRawBufferPointer
    ) {
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: length - 4).bigEndian, as: UInt32.self)
        bytes[4] = kind.rawValue
        bytes.storeBytes(of: number.bigEndian, toByteOffset: 5, as: UInt64.self)
    }

    /// Writes the entry with its length.
    package func encoded() -> ByteBuffer {
        var buffer = ByteBuffer()
        switch self {
        case .request(let number, let name, let version, let payload):
            let length = Self.requestLength(name, payload.readableBytes)
            payload.withUnsafeReadableBytes {
                Self.writeRequest(number, name, version: version, $0, length: length, into: &buffer)
            }
        case .answer(let number, let payload):
            payload.withUnsafeReadableBytes { Self.writeAnswer(number, $0, into: &buffer) }
        case .withdrawal(let number):
            buffer.writeMultipleIntegers(UInt32(9), Kind.withdrawal.rawValue, number)
        case .refusal(let number, let end):
            let end = end.encoded()
            buffer.writeMultipleIntegers(
                UInt32(truncatingIfNeeded: 9 + end.readableBytes),
                Kind.refusal.rawValue,
                number
            )
            buffer.writeImmutableBuffer(end)
        }
        return buffer
    }
}
