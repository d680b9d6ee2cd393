import NIOCore
import PeerCore
import PeerProtocol

/// Holds the bytes of a resource until all of them are there.
///
/// A draft outlives broken connections. Several threads write to it at the same time.
protocol ResourceDraft: Sendable {
    /// Prepares for a connection: the first one, or one after a broken one.
    func resume() throws(PeerError)

    /// Returns the chunks that are not there.
    func missingChunks(
        digests: [ContentDigest],
        isStopped: @escaping @Sendable () -> Bool
    ) throws(PeerError) -> ChunkRuns

    /// Writes verified chunks, which are inside the resource.
    func write(_ buffers: [ByteBuffer], _ chunks: Range<Int>, at offset: UInt64) throws(PeerError)

    /// Makes the resource durable, and visible at once.
    ///
    /// If that fails, nothing is visible.
    func place() throws(PeerError) -> ReceivedResource

    /// Waits for what goes on in the background, because the connection has ended.
    func pause()

    /// Removes the files that are no longer needed. Does nothing if the resource is at its destination.
    func discard()
}

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
