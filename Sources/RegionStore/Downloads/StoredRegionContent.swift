package import FoundationEssentials
package import MapFiles
package import PeerStorage

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
