package import PeerCore
package import RegionStore

/// What an imported map says of itself.
package struct ImportedMapFacts: Sendable {
    /// The name of the region that it would become; nil if that does not matter.
    package var name: String?
    package var edition: MapEdition
    package var digest: ContentDigest
    /// Whether its tiles are added to a map.
    package var isPart = false
    /// The zoom levels that have tiles.
    package var zooms: [Int] = []
}

extension ImportedMapFacts {
    /// Describes a map.
    package init(_ map: PreparedMap) {
        (name, edition, digest, isPart, zooms) = (map.name, map.edition, map.digest, map.isPart, map.zooms)
    }

    /// Describes a map of another program.
    init(_ map: PreparedForeignMap) { (edition, digest) = (map.edition, map.digest) }
}
