package import FoundationEssentials
import Glibc
package import MapFiles
package import PeerProtocol
import PeerStorage

/// What an import or a reception does to the map of a region.
package struct MapChange: Hashable, Sendable {
    /// How the map differs from that which the region had; nil if that is not known.
    package var difference: MapDifference?

    /// What becomes of the tiles of a part; nil if the map is none.
    package var union: MapUnion.Counts?

    /// Whether a part and the map have too many tiles together.
    package var hasTooManyTiles = false

    package init(difference: MapDifference?, union: MapUnion.Counts? = nil) {
        (self.difference, self.union) = (difference, union)
    }
}

extension RegionStore {
    /// Compares a map with one of the store; nil if one of them has too many tiles.
    ///
    /// Both are read.
    func difference(
        ofMapAt path: String,
        since local: KnownFile,
        atMost limit: Int = TileDigests.maximumReceivedCount
    ) throws -> MapDifference? {
        let here = try Self.openMap(folders.path(of: local), .receiving(size: local.size))
        let before = try TileDigests(of: here, atMost: limit)
        guard let before, let size = try? OpenFile(path, O_RDONLY).size() else { return nil }
        let new = try Self.openMap(path, .receiving(size: size))
        return try TileDigests(of: new, atMost: limit)?.difference(since: before)
    }

    /// Returns what a map that the store has would do to that of a region; nil if one of them is not there, or has too many tiles.
    package func change(by digest: ContentDigest, of regionID: UUID, isPart: Bool) throws -> MapChange? {
        let (new, local) = try database.read { database in
            (
                try KnownFile.fetchAll(.mbtiles, digest: digest, database).first,
                try KnownFile.fetchOne(.mbtiles, of: regionID, database)
            )
        }
        guard let new, let local else { return nil }
        guard isPart else {
            return try difference(ofMapAt: folders.path(of: new), since: local).map { MapChange(difference: $0) }
        }
        let part = try Self.openMap(folders.path(of: new), .receiving(size: new.size))
        let union = try MapUnion(adding: part, to: Self.openMap(folders.path(of: local), .receiving(size: local.size)))
        return union.map { MapChange(difference: $0.difference, union: $0.counts) }
    }
}
