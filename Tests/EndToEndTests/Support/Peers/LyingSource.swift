import Foundation
import PeerCore
import RegionStore

/// A source that says and gives what a test wants.
struct LyingSource: ResourceSource {
    struct Missing: Error {}

    var manifest: Manifest
    var resources: [ResourceKind: [UInt8]]
    /// What is sent in place of the truth.
    var substitutes: [ResourceKind: [UInt8]] = [:]

    /// Describes resources truthfully, except for what `change` does to the region.
    init(
        _ region: Region,
        _ resources: [(ResourceKind, [UInt8])],
        change: (inout Region) -> Void = { _ in }
    ) throws {
        var region = region
        self.resources = Dictionary(uniqueKeysWithValues: resources)
        region.fileSizeBytes = Int64(self.resources[.mbtiles]?.count ?? 0)
        region.hasRoutingData = self.resources[.routing] != nil
        change(&region)
        let entries = try resources.map { kind, bytes in
            guard let layout = ChunkLayout(size: UInt64(bytes.count)) else { throw Missing() }
            return ManifestEntry(
                name: ResourceName(kind: kind, id: region.id),
                layout: layout,
                digest: ContentDigest(resourceSize: layout.size, chunkDigests: Self.digests(of: bytes, layout))
            )
        }
        self.manifest = try Manifest(id: region.id, describing: region, entries: entries)
    }

    func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        guard let bytes = resources[entry.kind] else { throw Missing() }
        return Self.digests(of: bytes, entry.layout)
    }

    func content(of entry: ManifestEntry) throws -> ResourceContent {
        guard let bytes = substitutes[entry.kind] ?? resources[entry.kind] else { throw Missing() }
        return .bytes(Data(bytes))
    }

    private static func digests(of bytes: [UInt8], _ layout: ChunkLayout) -> [ContentDigest] {
        stride(from: 0, to: bytes.count, by: Int(layout.chunkLength)).map { start in
            ContentDigest(hashing: Array(bytes[start..<min(start + Int(layout.chunkLength), bytes.count)]))
        }
    }
}
