import FoundationEssentials
import Glibc
import MapFiles
import NIOCore
package import PeerProtocol
import PeerStorage
import RegionModel
import Synchronization

/// What an offered map would do to the map of a region, before anything of it is transferred.
///
/// The file is put together as far as it is known: chunks that are in the store, and of the others what a sender's lists of pieces
/// say. Only the bytes of tiles that the store does not have are missing, and it is known that they are others. So the tiles are
/// counted as if the file were there.
final class MapForecast: Sendable {
    /// The longest map that is put together, in bytes; as much space is needed on the disk for a moment.
    private static let maximumSize: UInt64 = 512 << 20

    /// The most processor time for reading each map, in seconds.
    private static let maximumSeconds = 5.0

    /// Takes the place of unknown bytes; no tile has only such bytes.
    private static let filling: UInt8 = 0xA7

    private struct State {
        /// The chunks whose content is not known yet.
        var lacking: RangeSet<Int>
        var file: OpenFile?
        var workspace: StoreWorkspace?
        /// Whether it cannot be known any more.
        var isImpossible = false
    }

    private let store: RegionStore
    private let entry: ManifestEntry
    private let regionID: UUID
    private let places: LocalPlaces
    private let state: Mutex<State>

    /// Prepares a forecast; nil if the map is too large.
    init?(
        of entry: ManifestEntry,
        regionID: UUID,
        in store: RegionStore,
        _ places: LocalPlaces,
        lacking: ChunkRuns
    ) {
        guard entry.size <= Self.maximumSize else { return nil }
        (self.store, self.entry, self.regionID, self.places) = (store, entry, regionID, places)
        state = Mutex(State(lacking: RangeSet(lacking.ranges)))
    }

    /// Takes what a list says of chunks.
    func take(_ comparison: PieceComparison) {
        state.withLock { state in
            guard !state.isImpossible else { return }
            // Pieces that are no tiles say nothing of them, and short ones are not looked for everywhere.
            guard comparison.list.shape != .none, !comparison.lacksPiece(shorterThan: TileIndex.minimumTileLength)
            else {
                state.isImpossible = true
                return
            }
            do {
                let file = try file(&state)
                for chunk in comparison.list.chunks.ranges.joined() {
                    let bytes = comparison.bytes(of: chunk, entry.layout, filling: Self.filling)
                    try file.write([bytes], at: entry.layout.byteRange(of: chunk..<chunk + 1).lowerBound)
                    state.lacking.remove(contentsOf: chunk..<chunk + 1)
                }
            } catch {
                state.isImpossible = true
            }
        }
    }

    /// Counts the tiles; nil if that is not possible, for instance because not all is known of the file.
    func change(isPart: Bool) -> MapChange? {
        state.withLock { state in
            guard !state.isImpossible, state.lacking.isEmpty else { return nil }
            // Once is enough.
            state.isImpossible = true
            defer { state.workspace = nil }
            return try? change(&state, isPart: isPart)
        }
    }

    private func change(_ state: inout State, isPart: Bool) throws -> MapChange? {
        let file = try file(&state)
        for (number, name) in places.files.enumerated() {
            let local = store.folders.open(name)
            for run in places.runs where run.file == number {
                try copy(run.chunks, from: local, at: run.offset, to: file)
            }
        }
        if let missing = places.missingOfKept {
            let kept = store.folders.incoming.read(entry)
            for range in RangeSet(entry.layout.allChunks.ranges).subtracting(RangeSet(missing.ranges)).ranges {
                try copy(range, from: kept, at: entry.layout.byteRange(of: range).lowerBound, to: file)
            }
        }
        let local = try store.database.read { try KnownFile.fetchOne(.mbtiles, of: regionID, $0) }
        guard let local, local.digest != entry.digest, let workspace = state.workspace else { return nil }
        func database(_ path: String) throws -> UntrustedDatabase {
            let limits = CheckLimits(seconds: Self.maximumSeconds, memory: CheckLimits.receiving(size: 0).memory)
            return try RegionStore.openMap(path, limits)
        }
        let offered = try database(workspace.folder.path(of: entry.kind.rawValue))
        let here = try database(store.folders.path(of: local))
        guard isPart else {
            let limit = TileDigests.maximumReceivedCount
            guard let new = try TileDigests(of: offered, atMost: limit),
                let old = try TileDigests(of: here, atMost: limit)
            else { return nil }
            return MapChange(difference: new.difference(since: old))
        }
        guard let union = try MapUnion(adding: offered, to: here) else {
            var change = MapChange(difference: nil)
            change.hasTooManyTiles = true
            return change
        }
        return MapChange(difference: union.difference, union: union.counts)
    }

    private func copy(_ chunks: Range<Int>, from source: OpenFile?, at offset: UInt64, to file: OpenFile) throws {
        let range = entry.layout.byteRange(of: chunks)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            let count = min(1 << 20, range.upperBound - start)
            let place = offset + (start - range.lowerBound)
            guard let bytes = source?.bytes(in: place..<place + count), bytes.readableBytes == Int(count) else {
                throw SystemError(number: ENOENT)
            }
            try file.write([bytes], at: start)
        }
    }

    private func file(_ state: inout State) throws -> OpenFile {
        if let file = state.file { return file }
        guard let workspace = try store.folders.workspace("forecast-" + UUID().uuidString, in: store.folders.work)
        else {
            throw SystemError(number: EBUSY)
        }
        state.workspace = workspace
        // Twice, so that the transfer itself does not lack the space.
        try DiskSpace.check(2 * entry.size, of: workspace.folder.space(), remedy: "")
        let file = try workspace.folder.createFile(entry.kind.rawValue)
        state.file = file
        return file
    }
}

/// What offered maps would do to those that regions have, until a person was asked.
package final class MapForecasts: Sendable {
    private let forecasts = Mutex<[ContentDigest: MapForecast]>([:])

    package init() {}

    func add(_ forecast: MapForecast?, for map: ContentDigest) {
        // Only the last offer is shown.
        let old = forecasts.withLock { forecasts in
            defer { forecasts = forecast.map { [map: $0] } ?? [:] }
            return forecasts
        }
        _ = old
    }

    /// Returns what an offered map would do to that of its region; nil if that is not known.
    ///
    /// Blocks. It is forgotten then.
    package func change(by map: ContentDigest, isPart: Bool) -> MapChange? {
        forecasts.withLock { $0.removeValue(forKey: map) }?.change(isPart: isPart)
    }
}
