import NIOCore
import PeerProtocol

/// The payload of one frame: the first byte chooses the type, and the length is always right.
///
/// A byte that is no type chooses one too, so that no input is wasted.
enum ControlBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let control = input.first else { return }
        let types = FrameType.allCases.filter { $0 != .data }
        let type = types.first { $0.rawValue == control } ?? types[Int(control) % types.count]
        var buffer = ByteBuffer(bytes: Preface.hikeshare.bytes)
        buffer.writeMultipleIntegers(
            type.rawValue,
            UInt8(0),
            UInt16(0),
            UInt32(input.count - 1)
        )
        buffer.writeBytes(input.dropFirst())
        let reading = try FrameBody.read(Array(buffer.readableBytesView), pieceLength: buffer.readableBytes)
        for case .frame(let frame) in reading.outputs { try FrameBody.checkRoundTrip(frame) }
    }
}
