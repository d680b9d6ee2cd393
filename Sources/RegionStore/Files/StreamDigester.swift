import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// Computes the digests of bytes that are written in order, and does not keep the bytes.
///
/// The memory is limited to one chunk and one write.
final class StreamDigester: ByteOutput {
    private let layout: ChunkLayout
    private var pending = ByteBuffer()
    private var chunkDigests: [ContentDigest] = []

    /// Creates a digester for as many bytes as the layout has.
    init(_ layout: ChunkLayout) { self.layout = layout }

    func write(_ buffers: [ByteBuffer], at offset: UInt64) {
        for buffer in buffers { pending.writeImmutableBuffer(buffer) }
        let length = Int(layout.chunkLength)
        digest(pending.readableBytes / length * length)
    }

    func write(_ bytes: [UInt8], at offset: UInt64) { write([ByteBuffer(bytes: bytes)], at: offset) }

    /// Returns the digests of all bytes; nil if there were more or fewer than the layout has.
    func finish() -> FileDigester.Result? {
        digest(pending.readableBytes)
        guard byteCount == layout.size else { return nil }
        return FileDigester.Result(
            layout: layout,
            chunkDigests: chunkDigests,
            digest: ContentDigest(resourceSize: layout.size, chunkDigests: chunkDigests)
        )
    }

    private var byteCount: UInt64 = 0

    private func digest(_ count: Int) {
        guard let bytes = pending.readSlice(length: count), count > 0 else { return }
        byteCount += UInt64(count)
        chunkDigests += bytes.withUnsafeReadableBytes {
            ContentDigest.chunkDigests(of: [$0], chunkLength: Int(layout.chunkLength))
        }
        pending.discardReadBytes()
    }
}

extension FileDigester {
    /// Reads and hashes a file, and writes its bytes to another file if one is given.
    ///
    /// Calls `progress` on any thread with the number of processed bytes.
    func digest(
        _ file: OpenFile,
        copyingTo target: OpenFile? = nil,
        path: String,
        progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)? = nil
    ) throws -> Result {
        let size = try RegionStoreError.mapping("read", path) { try file.size() }
        guard let layout = ChunkLayout(size: size) else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) has \(size) bytes; files of more than \(ChunkLayout.maximumSize) bytes cannot be shared."
            )
        }
        return try RegionStoreError.mapping(target == nil ? "read" : "copied into the store", path) {
            try digest(file, layout, copyingTo: target, progress: progress)
        }
    }
}
