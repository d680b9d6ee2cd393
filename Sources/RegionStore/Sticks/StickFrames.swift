import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// Reads the frames of a sealed file.
struct StickFrames: Sendable {
    private var file: SealedFileReader
    private var decoder = FrameDecoder(preface: StickWriter.preface)
    private var buffer = ByteBuffer()

    /// The number of bytes of the file that were read.
    var position: UInt64 { file.position }

    init(_ file: SealedFileReader) { self.file = file }

    /// Whether the file has the end of what was written.
    func hasEnd() throws(SystemError) -> Bool { try file.hasEnd() }

    /// Reads the card at the beginning.
    mutating func readCard() throws -> StickCard {
        while buffer.readableBytes < StickCard.prefixLength + MapSignature.maximumNameLength, try readPiece() {}
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self),
            let bytes = buffer.readBytes(length: StickCard.prefixLength + Int(length)), let card = StickCard(bytes)
        else { throw StickFile.damaged("its sender is not named") }
        guard case .preface = try next() else { throw StickFile.damaged("the map does not follow its sender") }
        return card
    }

    /// Reads the next frame, or the next bytes of a data frame; nil at the end.
    mutating func next() throws -> FrameDecoder.Output? {
        while true {
            if let output = try decoder.next(from: &buffer) { return output }
            guard try readPiece() else {
                guard buffer.readableBytes == 0, !decoder.awaitsRestOfFrame else {
                    throw StickFile.damaged("its end is missing")
                }
                return nil
            }
        }
    }

    private mutating func readPiece() throws -> Bool {
        guard let piece = try file.next() else { return false }
        buffer.discardReadBytes()
        buffer.writeBytes(piece)
        return true
    }
}
