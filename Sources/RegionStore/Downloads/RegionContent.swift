package import MapFiles
package import PeerStorage

/// A region whose items and map are read when they are needed: what files with both are made of.
package protocol RegionContent: Sendable {
    /// Reads the region and its items.
    func withItems<Result>(_ body: (any RegionItems) throws -> Result) throws -> Result

    /// Opens the map; returns nil if there is none.
    func openTiles() throws -> UntrustedDatabase?

    /// Creates an empty file without a name, which vanishes when it is closed.
    func temporaryFile() throws -> OpenFile
}

/// What a person has agreed to show.
extension RegionDownloads: RegionContent {
    package func withItems<Result>(_ body: (any RegionItems) throws -> Result) throws -> Result { try body(self) }

    package func openTiles() throws -> UntrustedDatabase? {
        try map.map { map in
            try checkGoesOn()
            return try RegionStore.openMap(map.path, .receiving(size: map.size))
        }
    }
}
