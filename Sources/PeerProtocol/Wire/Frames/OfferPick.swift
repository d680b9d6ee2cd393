package import FoundationEssentials

/// The offers of a catalogue that the receiver wants, in the order in which it wants them.
package struct OfferPick: Hashable, Sendable, Codable {
    /// The ids; each is in the catalogue, none is there twice.
    package var ids: [UUID]

    package init(ids: [UUID]) { self.ids = ids }

    func isWithin(_ limits: ProtocolLimits) -> Bool { (1...limits.maximumCatalogueCount).contains(ids.count) }
}
