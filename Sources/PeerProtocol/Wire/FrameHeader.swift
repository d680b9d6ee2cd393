import NIOCore

/// The eight bytes before every payload: type, flags, two reserved bytes, length. (Wire format, "Frames".)
struct FrameHeader: Hashable, Sendable {
    static let byteCount = 8

    /// The first byte, known or not.
    var rawType: UInt8
    /// The length of the payload in bytes.
    var payloadLength: Int

    /// Reads a header; nil if fewer than eight bytes are there.
    ///
    /// - Throws: ``ProtocolError`` if a flag or a reserved byte is set, which version 1 forbids.
    static func read(from buffer: inout ByteBuffer) throws(ProtocolError) -> FrameHeader? {
        guard buffer.readableBytes >= byteCount,
            let (rawType, flags, reserved, length) = buffer.readMultipleIntegers(
                as: (UInt8, UInt8, UInt16, UInt32).self
            )
        else { return nil }
        guard flags == 0, reserved == 0 else {
            throw ProtocolError(.invalidFrame, "A frame has flags that this version does not know.")
        }
        return FrameHeader(rawType: rawType, payloadLength: Int(length))
    }

    init(rawType: UInt8, payloadLength: Int) { (self.rawType, self.payloadLength) = (rawType, payloadLength) }

    /// Reads type and length from the eight bytes, the first one the most significant.
    init(word: UInt64) {
        self.init(rawType: UInt8(truncatingIfNeeded: word >> 56), payloadLength: Int(UInt32(truncatingIfNeeded: word)))
    }

    /// The eight bytes, the first one the most significant.
    var word: UInt64 { UInt64(rawType) << 56 | UInt64(UInt32(truncatingIfNeeded: payloadLength)) }

    func write(into buffer: inout ByteBuffer) { buffer.writeInteger(word) }
}
