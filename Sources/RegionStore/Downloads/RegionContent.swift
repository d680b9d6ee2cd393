package import FoundationEssentials
package import MapFiles
package import PeerStorage

/// A region whose items and map are read when they are needed: what files with both are made of.
package protocol RegionContent: Sendable {
    /// Reads the region and its items.
    ///
    /// - Throws: `RegionStoreError` if they cannot be read; the error of `body`.
    func withItems<Result>(_ body: (any RegionItems) throws -> Result) throws -> Result

    /// Opens the map; returns nil if there is none.
    ///
    /// - Throws: `RegionStoreError` if it cannot be read.
    func openTiles() throws -> UntrustedDatabase?

    /// Creates an empty file without a name, of which nothing is left when it is closed.
    ///
    /// - Throws: An error if there is no place for it.
    func temporaryFile() throws -> OpenFile
}

/// A region of a store, as it is when it is read.
package struct StoredRegionContent: RegionContent {
    private let store: RegionStore
    private let id: UUID

    /// Describes a region, which need not exist.
    package init(_ id: UUID, in store: RegionStore) {
        self.store = store
        self.id = id
    }

    package func withItems<Result>(_ body: (any RegionItems) throws -> Result) throws -> Result {
        try store.withItems(of: id, body)
    }

    package func openTiles() throws -> UntrustedDatabase? { try store.map(of: id) }

    package func temporaryFile() throws -> OpenFile { try store.temporaryFile() }
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
