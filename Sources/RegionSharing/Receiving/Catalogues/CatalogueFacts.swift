public import FoundationEssentials
public import PeerCore
import RegionStore

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
}

/// Which regions of a list to receive, in order; nil for none.
public struct CatalogueQuestion: Question {
    /// The list.
    public var catalogue: CatalogueFacts

    /// None.
    public var defaultAnswer: [UUID]? { nil }
}
