import FoundationEssentials
import GRDB
import Glibc
import MapFiles
import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// Finds out what a store has of an offered resource, and writes nothing.
///
/// The digests in the database say where to look. A file that was written to since it was last hashed (``FileStamp``) is read,
/// other files are not. ``LocalCopy`` hashes each chunk again, because the disk may have damaged the file.
struct LocalSearch {
    let store: RegionStore
    let regionID: UUID
    let entry: ManifestEntry
    /// The area of the offered region; nil if it is unknown.
    var area: BoundingBox?
    /// Takes what the map would do to the region's map; nil if that is not needed.
    var forecasts: MapForecasts?
    /// Whether the result is no longer needed.
    var isStopped: @Sendable () -> Bool = { false }
    /// The most maps in which tiles are looked for.
    var maximumMapCount = TileSearch.maximumMapCount

    /// Locates the chunks of the resource; `digests` are those of its chunks.
    func locate(_ digests: [ContentDigest]) throws -> LocatedChunks {
        guard let part = entry.kind.part, digests.count == entry.layout.chunkCount else {
            return LocatedChunks(missing: entry.layout.allChunks)
        }
        if case .whole(let located) = try part.presence(self) { return located }
        var places = LocalPlaces()
        // Another transfer may be writing to the part. ``IncomingRegion`` uses only the part that its own transfer holds.
        if entry.kind.isKeptUnfinished, let kept = store.folders.incoming.read(entry) {
            // The stamp is taken before the file is read, so that a simultaneous write invalidates it.
            places.stampOfKept = kept.settledStamp()
            places.missingOfKept = try entry.missingChunks(digests, in: kept, isStopped: isStopped)
        }
        return try part.locate(places.missingOfKept ?? entry.layout.allChunks, digests, self, places)
    }

    /// Finds the missing chunks that any file of the store has at any position, and the most likely older version: the file
    /// with the most equal chunks at the same positions, or the file of the region.
    func locateInFiles(
        _ missing: ChunkRuns,
        _ digests: [ContentDigest],
        _ places: LocalPlaces
    ) throws -> LocatedChunks {
        var places = places
        let keys = try store.database.read(RegionFileRecord.keys)
        // The search needs memory for each missing chunk.
        guard missing.chunkCount > 0, !keys.isEmpty else { return LocatedChunks(missing: missing, places: places) }
        var search = Search(missing, digests)
        var best: (file: LocalPlaces.File, size: UInt64, count: Int)?
        for key in keys where !search.isDone {
            // One record at a time, because its list of digests may take 2 MiB.
            let record = try store.database.read { try RegionFileRecord.fetchOne(key.kind, of: key.regionID, $0) }
            guard let record else { continue }
            let name = LocalPlaces.File(regionID: record.regionID, name: record.fileName)
            if record.kind == entry.kind {
                let count = zip(record.chunkDigests, digests).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
                let isOwn = record.regionID == regionID
                if count > 0 || isOwn, count > best?.count ?? -1 || count == best?.count && isOwn {
                    best = (name, record.layout.size, count)
                }
            }
            guard record.chunkDigests.contains(where: { search.looksFor($0) }), let file = store.folders.open(name)
            else { continue }
            let isTrusted = record.stamp.map { file.currentStamp() == $0 } == true
            places.files.append(name)
            try take(&search, record.layout, record.chunkDigests, from: isTrusted ? nil : file, &places)
            // Then a link takes the place of a copy.
            places.isWhole =
                record.kind == entry.kind && record.digest == entry.digest && search.isDone
                && places.missingOfKept == nil && places.runs.allSatisfy { places.files[$0.file] == name }
        }
        let rest = entry.layout.runs(validating: Array(search.stillMissing.ranges)) ?? missing
        let maps = try maps()
        places.unkeptIndexes = maps.compactMap(\.unkept)
        var older = basis(best.map { ($0.file, $0.size) }, maps.map(\.map), for: rest)
        // Only with the tiles of the region's own map, a tile that is found nowhere is known to differ.
        if let forecasts, entry.kind == .mbtiles, maps.first?.regionID == regionID {
            let forecast = MapForecast(of: entry, regionID: regionID, in: store, places, lacking: rest)
            forecasts.add(forecast, for: entry.digest)
            older?.noteSurvey = { forecast?.take($0) }
        }
        return LocatedChunks(missing: rest, older: older, places: places)
    }

    /// Finds the missing chunks that contents have at any position; a copy of them is made when they are copied.
    func locate(
        _ missing: ChunkRuns,
        _ digests: [ContentDigest],
        in contents: FileDigester.Result,
        _ places: LocalPlaces
    ) throws -> LocatedChunks {
        var (places, search) = (places, Search(missing, digests))
        try take(&search, contents.layout, contents.chunkDigests, from: nil, &places)
        let rest = entry.layout.runs(validating: Array(search.stillMissing.ranges)) ?? missing
        return LocatedChunks(missing: rest, places: places)
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

        func looksFor(_ digest: ContentDigest) -> Bool { places[digest] != nil }

        func places(of digest: ContentDigest) -> [Int] {
            places[digest].map { [$0] + furtherPlaces[digest, default: []] } ?? []
        }

        mutating func found(_ place: Int) { stillMissing.remove(contentsOf: place..<place + 1) }

        mutating func isThrough(with digest: ContentDigest) { places[digest] = nil }
    }

    /// Notes the chunks that the last file of the places has; hashes them again unless `file` is nil.
    private func take(
        _ search: inout Search,
        _ layout: ChunkLayout,
        _ chunkDigests: [ContentDigest],
        from file: OpenFile?,
        _ places: inout LocalPlaces
    ) throws {
        let number = max(0, places.files.count - 1)
        for (position, digest) in chunkDigests.enumerated() {
            let wanted = search.places(of: digest)
            if wanted.isEmpty { continue }
            if isStopped() { throw CancellationError() }
            let own = layout.byteRange(of: position..<position + 1)
            if let file, ContentDigest(hashing: file.bytes(in: own)) != digest { continue }
            for place in wanted {
                // Only a false list has a digest at a position where the length differs.
                guard entry.layout.byteRange(of: place..<place + 1).count == own.count else { continue }
                places.found(place, in: number, at: own.lowerBound, entry.layout)
                search.found(place)
            }
            search.isThrough(with: digest)
        }
    }

    /// What may have pieces of missing chunks: an older version at the same places, and the tiles of all maps of the area.
    private func basis(
        _ older: (file: LocalPlaces.File, size: UInt64)?,
        _ maps: [TileSearch.Map],
        for missing: ChunkRuns
    ) -> DeltaBasis? {
        guard missing.chunkCount > 0 else { return nil }
        let file = older.flatMap { store.folders.open($0.file) }
        let read: @Sendable (Range<UInt64>) -> ByteBuffer = { file?.bytes(in: $0) ?? ByteBuffer() }
        guard maps.isEmpty else {
            let search = TileSearch(maps: maps)
            return DeltaBasis(chunks: missing, read: read) { try search.pieces(of: $0) }
        }
        let end = file == nil ? 0 : older?.size ?? 0
        let covered = missing.ranges.compactMap { run -> Range<Int>? in
            let chunks = run.prefix { entry.layout.byteRange(of: $0..<$0 + 1).lowerBound < end }
            return chunks.isEmpty ? nil : run.lowerBound..<run.lowerBound + chunks.count
        }
        guard !covered.isEmpty, let chunks = entry.layout.runs(validating: covered) else { return nil }
        return DeltaBasis(chunks: chunks, read: read)
    }

    /// The maps of the store that may have tiles of the offered one: those of the same region or area; all if the area is unknown.
    private func maps() throws -> [(map: TileSearch.Map, unkept: LocalPlaces.UnkeptIndex?, regionID: UUID)] {
        guard entry.kind == .mbtiles else { return [] }
        let files = try store.database.read { database in
            try KnownFile.fetchAll(.mbtiles, database).filter { file in
                if file.regionID == regionID { return true }
                guard let area else { return true }
                return try RegionRecord.fetchOne(file.regionID, database)?.boundingBox.overlaps(area) == true
            }
        }
        let sorted = files.filter { $0.regionID == regionID } + files.filter { $0.regionID != regionID }
        var digests: Set<ContentDigest> = []
        return sorted.filter { digests.insert($0.digest).inserted }.prefix(maximumMapCount).compactMap {
            file in
            guard !isStopped(), let map = try? store.folders.open(file),
                let (index, unkept) = store.folders.tileIndex(
                    of: map,
                    file.digest,
                    regionID: file.regionID,
                    isStopped: isStopped
                ), index.count > 0
            else { return nil }
            return (
                TileSearch.Map(file: map, index: index),
                unkept.map { LocalPlaces.UnkeptIndex(file: $0, digest: file.digest, regionID: file.regionID) },
                file.regionID
            )
        }
    }
}

extension ManifestEntry {
    /// Returns the chunks that the received part of this resource does not have.
    func missingChunks(
        _ digests: [ContentDigest],
        in part: OpenFile,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws -> ChunkRuns {
        try RegionStoreError.mapping("read", "The received part of the \(kind.title)") {
            try FileDigester(isStopped: isStopped).missingChunks(of: layout, digests, in: part)
        }
    }
}

extension StoreFolders {
    /// Opens a file of a region for reading; nil if it is not there.
    func open(_ file: LocalPlaces.File) -> OpenFile? {
        try? regions.folder(file.regionID.uuidString).openFile(file.name, O_RDONLY)
    }
}

extension OpenFile {
    /// Reads bytes; fewer if the file is shorter, none if it cannot be read.
    func bytes(in range: Range<UInt64>) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { space in
            (try? read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<range.count]), at: range.lowerBound)) ?? 0
        }
        return buffer
    }
}
