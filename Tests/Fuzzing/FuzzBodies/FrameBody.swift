import NIOCore
import PeerProtocol

/// A stream of frames, cut into pieces of any length.
///
/// The first byte says how: its lower bits are the length of a piece, and its highest bit leaves the preface to the
/// input.
enum FrameBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let control = input.first else { return }
        let stream = (control & 0x80 == 0 ? Preface.hikeshare.bytes : []) + input.dropFirst()
        let whole = try read(stream, pieceLength: max(1, stream.count))
        let pieces = try read(stream, pieceLength: Int(control & 0x3F) + 1)
        try require(whole == pieces, "what is read depends on how the bytes are cut")
        for case .frame(let frame) in whole.outputs { try checkRoundTrip(frame) }
    }

    /// A frame that was read must be written as bytes that are read as the same frame.
    static func checkRoundTrip(_ frame: Frame) throws(BrokenInvariant) {
        if case .record(let record) = frame { try RecordBody.run(record) }
        var buffer = ByteBuffer(bytes: Preface.hikeshare.bytes)
        try requireSuccess("a \(frame.type) frame that was read cannot be written") {
            try FrameEncoder(preface: .hikeshare).write(frame, into: &buffer)
        }
        let again = try read(Array(buffer.readableBytesView), pieceLength: buffer.readableBytes)
        try require(
            again.outputs == [.preface, .frame(frame)] && again.error == nil,
            "a \(frame.type) frame changes when it is written and read: \(again)"
        )
    }

    struct Reading: Equatable {
        var outputs: [FrameDecoder.Output] = []
        var error: ProtocolError?
    }

    static func read(_ stream: [UInt8], pieceLength: Int) throws(BrokenInvariant) -> Reading {
        var decoder = FrameDecoder(preface: .hikeshare)
        var buffer = ByteBuffer()
        var reading = Reading()
        var announced = 0
        var position = 0
        while position < stream.count {
            let end = min(stream.count, position + pieceLength)
            buffer.writeBytes(stream[position..<end])
            position = end
            do {
                while let output = try decoder.next(from: &buffer) {
                    try append(output, to: &reading, &announced)
                }
            } catch let error as ProtocolError {
                reading.error = error
                return reading
            } catch let error as BrokenInvariant {
                throw error
            } catch {
                throw BrokenInvariant("another error than one of the protocol: \(error)")
            }
            try require(buffer.readableBytes <= longestPayload, "more bytes are held than a frame may have")
        }
        return reading
    }

    private static func append(
        _ output: FrameDecoder.Output,
        to reading: inout Reading,
        _ announced: inout Int
    ) throws(BrokenInvariant) {
        switch output {
        case .dataHeader(let header):
            try require(announced == 0, "a data frame begins inside another")
            try require((1...limits.maximumDataLength).contains(header.length), "a data frame of a wrong length")
            announced = header.length
        case .data(let bytes):
            announced -= bytes.readableBytes
            try require(announced >= 0 && bytes.readableBytes > 0, "more data than were announced")
            // Where data are cut is the network's choice.
            if case .data(var before)? = reading.outputs.last {
                before.writeImmutableBuffer(bytes)
                reading.outputs[reading.outputs.count - 1] = .data(before)
                return
            }
        case .frame, .preface:
            try require(announced == 0, "a frame begins inside the data of another")
        }
        reading.outputs.append(output)
    }

    private static let limits = ProtocolLimits.standard
    /// The length of the longest payload, a manifest's; data are not awaited as a whole.
    private static let longestPayload = limits.maximumManifestLength
}
