import NIOCore
import PeerCore
import PeerProtocol

/// Holds the bytes of a resource until the resource is complete.
///
/// A draft outlives broken connections. Several threads write to it at the same time.
protocol ResourceDraft: Sendable {
    /// Prepares for a connection: the first one, or the next one after a break.
    func resume() throws(PeerError)

    /// Returns the chunks that are missing.
    func missingChunks(
        digests: [ContentDigest],
        isStopped: @escaping @Sendable () -> Bool
    ) throws(PeerError) -> ChunkRuns

    /// Writes verified chunks, which are inside the resource.
    func write(_ buffers: [ByteBuffer], _ chunks: Range<Int>, at offset: UInt64) throws(PeerError)

    /// Makes the resource durable and visible, in one step; if that fails, nothing is visible.
    func place() throws(PeerError) -> ReceivedResource

    /// Waits for work in the background, because the connection has ended.
    func pause()

    /// Removes the files that are no longer needed; does nothing if the resource is at its destination.
    func discard()
}

extension ResourceStorage {
    /// A resource that is already at its destination.
    struct ReceivedDraft: ResourceDraft {
        let resource: ReceivedResource

        func resume() {}

        func missingChunks(digests: [ContentDigest], isStopped: @escaping @Sendable () -> Bool) -> ChunkRuns { .none }

        func write(_ buffers: [ByteBuffer], _ chunks: Range<Int>, at offset: UInt64) {}

        func place() -> ReceivedResource { resource }

        func pause() {}

        func discard() {}
    }
}
