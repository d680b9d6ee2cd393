package import FoundationEssentials
package import PeerCore
package import RegionStore

/// The regions of a sender that offers several, before one is picked.
package struct CatalogueFacts: Sendable {
    /// The sender.
    package var peer: RemotePeer
    /// The regions.
    package var items: [CatalogueItem]
    /// How many cannot be read.
    package var unreadableCount = 0
    /// The digits that people compare; nil for none.
    package var digits: PairingDigits?
    /// What is picked usually.
    package var usual: [UUID] = []
    /// The number of regions that the sender offers, if ``items`` has only what the person has named before; nil if not.
    package var offeredCount: Int?

    /// Creates the facts of a list.
    package init(peer: RemotePeer, items: [CatalogueItem], unreadableCount: Int = 0, digits: PairingDigits? = nil) {
        (self.peer, self.items, self.unreadableCount, self.digits) = (peer, items, unreadableCount, digits)
    }
}

/// Which regions of a list to receive, in order; nil for none.
package struct CatalogueQuestion: Question {
    /// The list.
    package var catalogue: CatalogueFacts

    package var defaultAnswer: [UUID]? { nil }
}

/// A region of a catalogue.
package struct CatalogueItem: Hashable, Sendable {
    /// What the sender says of it.
    package var region: OfferedRegion
    /// What it is to the store.
    package var novelty: RegionNovelty
    /// The name of the region in the store to which it belongs; nil if there is none.
    package var localName: String?

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
