import Foundation
import NIOCore
import PeerCore
import Synchronization

// The comments of `PeerStorage` have these types as examples.

/// One resource in memory, to be sent.
struct MemorySource: ResourceSource {
    let manifest: Manifest
    let bytes: Data
    let digests: [ContentDigest]

    func chunkDigests(of entry: ManifestEntry) -> [ContentDigest] { digests }
    func content(of entry: ManifestEntry) -> ResourceContent { .bytes(bytes) }
}

extension MemorySource {
    struct Description: Encodable {
        var id: UUID
    }

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
        let manifest = try Manifest(id: id, describing: Description(id: id), entries: [entry])
        self.init(manifest: manifest, bytes: Data(bytes), digests: digests)
    }
}

/// Keeps one resource in memory.
final class MemorySink: ResourceSink {
    private let received = Mutex<[UInt8]?>(nil)

    /// The resource; nil before the commit.
    var bytes: [UInt8]? { received.withLock { $0 } }

    func examine(_ manifest: Manifest) throws {
        guard manifest.totalSize <= 50_000_000 else { throw TooLarge() }
    }

    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) -> any IncomingTransfer {
        MemoryTransfer(size: Int(manifest.totalSize)) { bytes in self.received.withLock { $0 = bytes } }
    }
}

/// A resource that arrives in memory.
final class MemoryTransfer: IncomingTransfer {
    private let arriving: Mutex<[UInt8]>
    private let publish: @Sendable ([UInt8]) -> Void

    init(size: Int, publish: @escaping @Sendable ([UInt8]) -> Void) {
        arriving = Mutex([UInt8](repeating: 0, count: size))
        self.publish = publish
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
        publish(arriving.withLock { $0 })
        return TransferReceipt(imported: ["notes": 1])
    }

    func abandon() {}
}

struct TooLarge: ReportableError {
    var reportToPeer: String { "This machine takes up to 50 MB." }
}

enum Problem: Error {
    case impossible
    case different(String)
}
