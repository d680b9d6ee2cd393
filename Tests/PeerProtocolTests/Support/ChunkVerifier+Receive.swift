import NIOCore
import PeerProtocol

extension ChunkVerifier {
    /// Takes the next bytes and returns the chunks that they complete, verified at once.
    mutating func receive(_ buffers: [ByteBuffer]) throws(ProtocolError) -> [Verified] {
        var verified: [Verified] = []
        for chunks in try gather(buffers) { verified.append(try chunks.verified()) }
        return verified
    }
}
