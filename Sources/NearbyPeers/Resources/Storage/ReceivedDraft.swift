import NIOCore
import PeerCore
import PeerProtocol

/// A resource that is at its place already.
struct ReceivedDraft: ResourceDraft {
    let resource: ReceivedResource

    func resume() {}

    func missingChunks(digests: [ContentDigest], isStopped: @escaping @Sendable () -> Bool) -> ChunkRuns { .none }

    func write(_ buffers: [ByteBuffer], _ chunks: Range<Int>, at offset: UInt64) {}

    func place() -> ReceivedResource { resource }

    func pause() {}

    func discard() {}
}
