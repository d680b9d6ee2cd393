import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel
import Synchronization

/// Writes verified chunks to the workspace.
extension IncomingRegion {
    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws {
        let length = buffers.reduce(0 as UInt64) { $0 + UInt64($1.readableBytes) }
        store.reach(.writeChunks)
        try write(buffers, at: offset, of: entry, length: length, arrived: length)
    }

    func writeAssembled(_ chunk: ByteBuffer, at offset: UInt64, of entry: ManifestEntry, arrivedCount: Int) throws {
        let length = UInt64(chunk.readableBytes)
        store.reach(.writeAssembledChunk)
        try write([chunk], at: offset, of: entry, length: length, arrived: UInt64(arrivedCount))
    }

    private func write(
        _ buffers: [ByteBuffer],
        at offset: UInt64,
        of entry: ManifestEntry,
        length: UInt64,
        arrived: UInt64
    ) throws {
        let file = try file(of: entry)
        guard offset <= entry.size, length <= entry.size - offset else {
            throw RegionStoreError(.refused, "The \(entry.kind.title) has more bytes than announced.")
        }
        do throws(SystemError) {
            try file.write(buffers, at: offset)
            try state.withLock { $0.partialFiles[entry.kind] }?.sync.wrote(length)
        } catch {
            throw RegionStoreError.storage("written to the store", "The \(entry.kind.title) of “\(region.name)”", error)
        }
        state.withLock { state in
            state.byteCount += arrived
            state.written[entry.kind, default: 0] += length
        }
    }
}
