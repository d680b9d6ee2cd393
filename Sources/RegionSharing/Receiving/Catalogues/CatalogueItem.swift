public import FoundationEssentials
import PeerCore
package import RegionStore

/// A region of a catalogue.
public struct CatalogueItem: Hashable, Sendable, Identifiable {
    /// What the sender says of it.
    package var region: OfferedRegion
    /// Whether the store has it, and which version.
    package var novelty: RegionNovelty
    /// The name of the region in the store to which it belongs; nil if there is none.
    public var localName: String?

    /// The id of the region.
    public var id: UUID { region.id }
    /// The sender's name for it, which is cut if it is long.
    public var name: String { region.name }
    /// The size of all that is offered of it, in bytes.
    public var size: UInt64 { region.size }
    /// Whether it has a map, or tiles, that the store lacks, and that are known not to be older.
    public var isNews: Bool { novelty.isNews }
}

extension CatalogueItem {
    /// Compares an offered region with those of a store.
    init(_ region: OfferedRegion, _ regions: [RegionSummary]) {
        self.init(
            region: region,
            novelty: RegionNovelty(of: region, among: regions),
            localName: RegionNovelty.local(for: region, among: regions)?.name
        )
    }
}
