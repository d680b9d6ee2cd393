import FoundationEssentials
import GRDB
import Glibc
import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// The files of a store from which chunks of an incoming file can be copied.
///
/// The digests in the database only say where to look. Each copied chunk is hashed again, because the disk may have damaged
/// the file.
struct LocalFiles {
    let store: RegionStore
    let regionID: UUID
    let entry: ManifestEntry
    /// The digests of the incoming file's chunks.
    let digests: [ContentDigest]
    /// Whether the result is no longer needed.
    var isStopped: @Sendable () -> Bool = { false }

    /// Copies the chunks that any of the files has at any position.
    ///
    /// - Parameters:
    ///   - missing: The missing chunks.
    ///   - target: The incoming file; nil if the chunks are only looked for. Files that were not written to since they were
    ///     last hashed are then not read.
    /// - Returns: The chunks that are still missing.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if they cannot be written.
    func copyChunks(_ missing: ChunkRuns, to target: OpenFile?) throws -> ChunkRuns {
        let keys = try keys()
        // The search needs memory for each missing chunk.
        guard missing.chunkCount > 0, !keys.isEmpty else { return missing }
        var search = Search(missing, digests)
        for key in keys where !search.isDone {
            guard let record = try record(key), record.chunkDigests.contains(where: { search.looksFor($0) }),
                let file = open(record)
            else { continue }
            let isTrusted = target == nil && record.stamp.map { file.currentStamp() == $0 } == true
            try take(&search, record.layout, record.chunkDigests, from: isTrusted ? nil : file, to: target)
        }
        return runs(search, missing)
    }

    /// Returns the chunks that are still missing if those that the contents have at any position are there.
    func chunks(_ missing: ChunkRuns, notIn contents: FileDigester.Result) throws -> ChunkRuns {
        var search = Search(missing, digests)
        try take(&search, contents.layout, contents.chunkDigests, from: nil, to: nil)
        return runs(search, missing)
    }

    /// Copies the chunks that one file has at any position; returns the chunks that are still missing.
    func copyChunks(
        _ missing: ChunkRuns,
        from file: OpenFile,
        _ contents: FileDigester.Result,
        to target: OpenFile
    ) throws -> ChunkRuns {
        var search = Search(missing, digests)
        try take(&search, contents.layout, contents.chunkDigests, from: file, to: target)
        return runs(search, missing)
    }

    private func runs(_ search: Search, _ missing: ChunkRuns) -> ChunkRuns {
        entry.layout.runs(validating: Array(search.stillMissing.ranges)) ?? missing
    }

    /// The positions of the missing chunks by digest.
    private struct Search {
        private(set) var stillMissing: RangeSet<Int>
        /// The first position of each chunk, and the other positions of chunks that occur more than once.
        private var places: [ContentDigest: Int] = [:]
        private var furtherPlaces: [ContentDigest: [Int]] = [:]

        var isDone: Bool { places.isEmpty }

        init(_ missing: ChunkRuns, _ digests: [ContentDigest]) {
            stillMissing = RangeSet(missing.ranges)
            places.reserveCapacity(missing.chunkCount)
            for position in missing.ranges.joined() {
                let digest = digests[position]
                if places[digest] == nil {
                    places[digest] = position
                } else {
                    furtherPlaces[digest, default: []].append(position)
                }
            }
        }

        func looksFor(_ digest: ContentDigest) -> Bool {
            places[digest] != nil
        }

        func places(of digest: ContentDigest) -> [Int] {
            places[digest].map { [$0] + furtherPlaces[digest, default: []] } ?? []
        }

        mutating func wrote(_ place: Int) {
            stillMissing.remove(contentsOf: place..<place + 1)
        }

        mutating func isThrough(with digest: ContentDigest) {
            places[digest] = nil
        }
    }

    /// Takes the chunks that a file has.
    ///
    /// - Parameters:
    ///   - search: The chunks to look for.
    ///   - layout: The layout of the file.
    ///   - chunkDigests: The digests of the file's chunks.
    ///   - file: The file, whose chunks are hashed again; nil if the digests are trusted.
    ///   - target: The incoming file; nil if the chunks are only looked for.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if they cannot be written.
    private func take(
        _ search: inout Search,
        _ layout: ChunkLayout,
        _ chunkDigests: [ContentDigest],
        from file: OpenFile?,
        to target: OpenFile?
    ) throws {
        for (position, digest) in chunkDigests.enumerated() {
            let wanted = search.places(of: digest)
            if wanted.isEmpty { continue }
            if isStopped() { throw CancellationError() }
            let own = layout.byteRange(of: position..<position + 1)
            let bytes = file?.bytes(in: own)
            if let bytes, ContentDigest(hashing: bytes) != digest { continue }
            for place in wanted {
                let range = entry.layout.byteRange(of: place..<place + 1)
                // Only a false list has a digest at a position where the length differs.
                guard range.count == bytes?.readableBytes ?? own.count else { continue }
                if let bytes, let target { try write(bytes, to: target, at: range.lowerBound) }
                search.wrote(place)
            }
            search.isThrough(with: digest)
        }
    }

    /// Finds the most likely older version of the incoming file: the file with the most equal chunks at the same positions, or
    /// the file of the region.
    func deltaBasis(for missing: ChunkRuns) throws -> DeltaBasis? {
        var best: (record: RegionFileRecord, count: Int)?
        for key in try keys() where key.kind == entry.kind {
            guard let record = try record(key) else { continue }
            let count = zip(record.chunkDigests, digests).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
            let isOwn = record.regionID == regionID
            guard count > 0 || isOwn, count > best?.count ?? -1 || count == best?.count && isOwn else { continue }
            best = (record, count)
        }
        guard let best, let file = open(best.record) else { return nil }
        let covered = missing.ranges.compactMap { run -> Range<Int>? in
            let end = best.record.layout.size
            let chunks = run.prefix { entry.layout.byteRange(of: $0..<$0 + 1).lowerBound < end }
            return chunks.isEmpty ? nil : run.lowerBound..<run.lowerBound + chunks.count
        }
        guard let chunks = entry.layout.runs(validating: covered), !covered.isEmpty else { return nil }
        return DeltaBasis(chunks: chunks) { file.bytes(in: $0) }
    }

    private func keys() throws -> [RegionFileRecord.Key] {
        try store.database.read(RegionFileRecord.keys)
    }

    private func record(_ key: RegionFileRecord.Key) throws -> RegionFileRecord? {
        try store.database.read { try RegionFileRecord.fetchOne(key.kind, of: key.regionID, $0) }
    }

    private func open(_ record: RegionFileRecord) -> OpenFile? {
        try? store.folders.regions.folder(record.regionID.uuidString).openFile(record.fileName, O_RDONLY)
    }

    private func write(_ bytes: ByteBuffer, to target: OpenFile, at offset: UInt64) throws {
        try RegionStoreError.mapping("written", "The received \(entry.kind.title)") { () throws(SystemError) in
            try target.write([bytes], at: offset)
        }
    }
}

extension OpenFile {
    /// Reads bytes; fewer if the file is shorter, none if it cannot be read.
    fileprivate func bytes(in range: Range<UInt64>) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { space in
            (try? read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<range.count]), at: range.lowerBound)) ?? 0
        }
        return buffer
    }
}
