import NIOCore
import PeerProtocol

extension FrameDecoder {
    /// Returns all that a new decoder finds in bytes that arrive in pieces.
    ///
    /// Neighbouring data outputs of one frame are joined: where they are cut is the network's choice.
    static func outputs(
        of pieces: [some Collection<UInt8>],
        limits: ProtocolLimits = .standard
    ) throws(ProtocolError) -> [Output] {
        var decoder = FrameDecoder(preface: .hikeshare, limits: limits)
        var buffer = ByteBuffer()
        var outputs: [Output] = []
        for piece in pieces {
            buffer.writeBytes(piece)
            while let output = try decoder.next(from: &buffer) {
                if case .data(let bytes) = output, case .data(var sofar) = outputs.last {
                    sofar.writeImmutableBuffer(bytes)
                    outputs[outputs.count - 1] = .data(sofar)
                } else {
                    outputs.append(output)
                }
            }
        }
        return outputs
    }

    /// Returns all that a new decoder finds in bytes that follow the preface.
    static func outputs(
        afterPreface bytes: some Collection<UInt8>,
        limits: ProtocolLimits = .standard
    ) throws(ProtocolError) -> [Output] {
        Array(try outputs(of: [Preface.hikeshare.bytes + Array(bytes)], limits: limits).dropFirst())
    }

    /// Returns the bytes of a frame with any header and payload.
    static func bytes(
        rawType: UInt8,
        flags: UInt8 = 0,
        reserved: UInt16 = 0,
        length: Int? = nil,
        payload: some Collection<UInt8>
    ) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.writeMultipleIntegers(rawType, flags, reserved, UInt32(length ?? payload.count))
        buffer.writeBytes(payload)
        return Array(buffer.readableBytesView)
    }

    /// Returns the bytes of a frame of a known type with any text as its payload.
    static func bytes(_ type: FrameType, _ payload: String) -> [UInt8] {
        bytes(rawType: type.rawValue, payload: payload.utf8)
    }
}
