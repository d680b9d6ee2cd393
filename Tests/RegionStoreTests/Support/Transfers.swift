import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// Moves a source to a sink as a transfer would, in memory.
enum Transfers {
    /// Moves everything; gives up if something fails.
    @discardableResult
    static func run(
        _ source: some ResourceSource,
        to sink: some ResourceSink,
        accepting kinds: Set<ResourceKind>? = nil,
        from peer: RemotePeer = .called("")
    ) throws -> TransferReceipt {
        try sink.examine(source.manifest)
        let accepted = kinds ?? Set(source.manifest.entries.map(\.kind))
        let transfer = try sink.begin(source.manifest, accepting: accepted, fromPeer: peer)
        do {
            for entry in source.manifest.entries where kinds?.contains(entry.kind) != false {
                try send(entry, of: source, to: transfer)
                try transfer.finish(entry)
            }
            return try transfer.commit()
        } catch {
            transfer.abandon()
            throw error
        }
    }

    /// Moves the chunks of one resource that are missing, in buffers of uneven length; returns how many.
    @discardableResult
    static func send(
        _ entry: ManifestEntry,
        of source: some ResourceSource,
        to transfer: any IncomingTransfer
    ) throws -> Int {
        let missing = try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
        let bytes = try bytes(of: entry, source)
        for run in missing.ranges {
            let range = entry.layout.byteRange(of: run)
            let part = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
            var buffers: [ByteBuffer] = []
            var start = part.startIndex
            for length in sequence(first: 1, next: { $0 * 3 }) where start < part.endIndex {
                let end = min(part.endIndex, start + length)
                buffers.append(ByteBuffer(bytes: part[start..<end]))
                start = end
                if start == part.endIndex { break }
            }
            try transfer.write(buffers, at: range.lowerBound, of: entry)
        }
        return missing.chunkCount
    }

    /// The bytes of chunks that the older version lacks, by the list that a sender of the bytes makes, without an index of tiles.
    static func missing(
        of bytes: [UInt8],
        _ chunks: ChunkRuns,
        _ layout: ChunkLayout,
        _ older: DeltaBasis
    ) throws -> ByteRuns {
        var (left, missing): (RangeSet<Int>, [Range<UInt64>]) = (RangeSet(chunks.ranges), [])
        while !left.isEmpty {
            let query = try #require(layout.runs(validating: Array(left.ranges)))
            let made = try #require(
                try PieceListBuilder.list(of: query, layout: layout) {
                    ByteBuffer(bytes: bytes[Int($0.lowerBound)..<Int($0.upperBound)])
                }
            )
            let list = try PieceList(reading: made.bytes, query: query, layout: layout)
            missing += PieceComparison(list, with: older).missing(of: query).ranges
            left.remove(contentsOf: 0..<made.end)
        }
        return try #require(layout.byteRuns(validating: missing))
    }

    static func bytes(of entry: ManifestEntry, _ source: some ResourceSource) throws -> [UInt8] {
        switch try source.content(of: entry) {
        case .file(let path): Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        case .bytes(let bytes): Array(bytes)
        }
    }

    /// The digests of bytes, computed by nothing of what is tested.
    static func digests(of bytes: [UInt8], _ layout: ChunkLayout) -> [ContentDigest] {
        stride(from: 0, to: bytes.count, by: Int(layout.chunkLength)).map { start in
            ContentDigest(hashing: Array(bytes[start..<min(start + Int(layout.chunkLength), bytes.count)]))
        }
    }
}

/// A source that says and gives what a test wants.
struct LyingSource: ResourceSource {
    var manifest: Manifest
    var resources: [ResourceKind: [UInt8]]

    /// Describes bytes truthfully, except for what `change` does to the region.
    init(
        _ region: Region,
        _ resources: [ResourceKind: [UInt8]],
        change: (inout Region) -> Void = { _ in }
    ) throws {
        var region = region
        region.fileSizeBytes = Int64(resources[.mbtiles]?.count ?? 0)
        region.hasRoutingData = resources[.routing] != nil
        change(&region)
        let entries = try ResourceKind.regionKinds.compactMap { kind -> ManifestEntry? in
            guard let bytes = resources[kind] else { return nil }
            guard let layout = ChunkLayout(size: UInt64(bytes.count)) else { throw CocoaError(.featureUnsupported) }
            let digests = Transfers.digests(of: bytes, layout)
            return ManifestEntry(
                name: ResourceName(kind: kind, id: region.id),
                layout: layout,
                digest: ContentDigest(resourceSize: layout.size, chunkDigests: digests)
            )
        }
        self.manifest = try Manifest(id: region.id, describing: region, entries: entries)
        self.resources = resources
    }

    func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        Transfers.digests(of: resources[entry.kind] ?? [], entry.layout)
    }

    func content(of entry: ManifestEntry) throws -> ResourceContent {
        .bytes(Data(resources[entry.kind] ?? []))
    }
}
