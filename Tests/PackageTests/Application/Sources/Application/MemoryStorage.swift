import Foundation
import NIOCore
import PeerCore
import Synchronization

/// One resource in memory, to be sent.
struct MemorySource: ResourceSource {
    struct Description: Encodable {
        var id: UUID
    }

    let manifest: Manifest
    let bytes: [UInt8]
    let digests: [ContentDigest]

    init(_ bytes: [UInt8]) throws {
        guard let kind = ResourceKind(rawValue: "notes"), let layout = ChunkLayout(size: UInt64(bytes.count)) else {
            throw Problem.impossible
        }
        let id = UUID()
        let digests = bytes.withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
        let entry = ManifestEntry(
            name: ResourceName(kind: kind, id: id),
            layout: layout,
            digest: ContentDigest(resourceSize: layout.size, chunkDigests: digests)
        )
        self.manifest = try Manifest(id: id, describing: Description(id: id), entries: [entry])
        self.bytes = bytes
        self.digests = digests
    }

    func chunkDigests(of entry: ManifestEntry) -> [ContentDigest] { digests }
    func content(of entry: ManifestEntry) -> ResourceContent { .bytes(bytes) }
}

/// Keeps one resource in memory.
final class MemorySink: ResourceSink, IncomingTransfer {
    private let arriving = Mutex<[UInt8]>([])
    private let committed = Mutex<[UInt8]?>(nil)

    /// The resource; nil before the commit.
    var bytes: [UInt8]? { committed.withLock { $0 } }

    func examine(_ manifest: Manifest) {}

    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) -> any IncomingTransfer {
        arriving.withLock { $0 = [UInt8](repeating: 0, count: Int(manifest.totalSize)) }
        return self
    }

    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) {
        arriving.withLock { bytes in
            var position = Int(offset)
            for buffer in buffers {
                bytes.replaceSubrange(position..<position + buffer.readableBytes, with: buffer.readableBytesView)
                position += buffer.readableBytes
            }
        }
    }

    func finish(_ entry: ManifestEntry) {}

    func commit() -> TransferReceipt {
        let bytes = arriving.withLock { $0 }
        committed.withLock { $0 = bytes }
        return TransferReceipt(imported: ["notes": 1])
    }

    func abandon() {}
}

enum Problem: Error {
    case impossible
    case different(String)
}
