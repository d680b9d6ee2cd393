public import FoundationEssentials
public import PeerCore
package import RegionStore

/// The regions of a sender that offers several, before one is picked.
public struct CatalogueFacts: Sendable {
    /// The sender.
    public var peer: RemotePeer
    /// The regions.
    public var items: [CatalogueItem]
    /// How many cannot be read.
    public var unreadableCount = 0
    /// The digits that people compare; nil for none.
    public var digits: PairingDigits?
    /// What is picked usually.
    public var usual: [UUID] = []
    /// The number of regions that the sender offers, if ``items`` has only what the person has named before; nil if not.
    public var offeredCount: Int?

    /// Creates the facts of a list.
    package init(peer: RemotePeer, items: [CatalogueItem], unreadableCount: Int = 0, digits: PairingDigits? = nil) {
        (self.peer, self.items, self.unreadableCount, self.digits) = (peer, items, unreadableCount, digits)
    }
}

/// Which regions of a list to receive, in order; nil for none.
public struct CatalogueQuestion: Question {
    /// The list.
    public var catalogue: CatalogueFacts

    /// None.
    public var defaultAnswer: [UUID]? { nil }
}

/// A region of a catalogue.
public struct CatalogueItem: Hashable, Sendable, Identifiable {
    /// What the sender says of it.
    package var region: OfferedRegion
    /// What it is to the store.
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

    /// Creates a region of a catalogue.
    package init(region: OfferedRegion, novelty: RegionNovelty, localName: String? = nil) {
        (self.region, self.novelty, self.localName) = (region, novelty, localName)
    }

    /// Compares an offered region with those of a store.
    init(_ region: OfferedRegion, _ regions: [RegionSummary]) {
        self.init(
            region: region,
            novelty: RegionNovelty(of: region, among: regions),
            localName: RegionNovelty.local(for: region, among: regions)?.name
        )
    }
}
