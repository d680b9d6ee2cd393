import MapFiles
import PeerCore
import RegionStore
import Synchronization

/// Says how large parts of maps are; it remembers the tiles of the map that was asked for last.
final class KnownPartSizes: Sendable {
    private struct Known {
        var digest: ContentDigest
        /// nil if the map has too many tiles.
        var sizes: MapPartSizes?
    }

    private let last = Mutex<Known?>(nil)

    /// Returns the size of a part of a region's map; nil if the map has too many tiles to say that.
    func part(_ choice: PartChoice, of region: RegionSummary, in store: RegionStore) throws -> MapPartSizes.Part? {
        let rule = try choice.rule(for: region, in: store)
        let sizes = try last.withLock { last in
            if let last, last.digest == region.mapDigest { return last.sizes }
            let sizes = try store.partSizes(of: region)
            last = Known(digest: region.mapDigest, sizes: sizes)
            return sizes
        }
        return try sizes?.part(of: rule)
    }
}
