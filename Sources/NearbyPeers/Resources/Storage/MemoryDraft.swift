import FoundationEssentials
import NIOConcurrencyHelpers
import NIOCore
import PeerCore
import PeerProtocol

/// A resource that is received into memory.
final class MemoryDraft: ResourceDraft {
    private struct State {
        var bytes: Data
        var chunks: ChunkMarks
    }

    private let state: NIOLockedValueBox<State>

    /// Allocates the memory; returns nil if the resource is larger than the limit.
    init?(_ layout: ChunkLayout, limit: Int) {
        guard let size = Int(exactly: layout.size), size <= limit else { return nil }
        state = NIOLockedValueBox(State(bytes: Data(count: size), chunks: ChunkMarks(layout)))
    }

    func resume() {}

    func missingChunks(digests: [ContentDigest], isStopped: @escaping @Sendable () -> Bool) -> ChunkRuns {
        state.withLockedValue { $0.chunks.missing }
    }

    func write(_ buffers: [ByteBuffer], _ chunks: Range<Int>, at offset: UInt64) {
        state.withLockedValue { state in
            state.bytes.withUnsafeMutableBytes { target in
                var rest = target[min(Int(clamping: offset), target.count)...]
                for buffer in buffers {
                    buffer.withUnsafeReadableBytes { bytes in
                        let count = min(bytes.count, rest.count)
                        UnsafeMutableRawBufferPointer(rebasing: rest.prefix(count))
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
                        rest = rest.dropFirst(count)
                    }
                }
            }
            state.chunks.insert(chunks)
        }
    }

    func place() -> ReceivedResource { .bytes(state.withLockedValue { $0.bytes }) }

    func pause() {}

    func discard() {}
}
