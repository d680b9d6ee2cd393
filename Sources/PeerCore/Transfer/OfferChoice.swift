package import FoundationEssentials
package import PeerProtocol

/// Several offers of a sender, from which each receiver picks.
///
/// Each picked offer is a transfer of its own, with its own commit, in the same conversation.
package struct OfferChoice: Sendable {
    /// The offers.
    package var catalogue: Catalogue
    /// Makes the source of an offer for a receiver; an error ends the conversation, and both sides are told.
    package var source: @Sendable (Invitation, UUID) async throws -> any ResourceSource
    /// Called when a receiver has received or declined one of the offers that it has picked, but for the last one, whose end is
    /// that of the conversation.
    package var concluded: @Sendable (TransferSender.Finished) async -> Void

    package init(
        of catalogue: Catalogue,
        source: @escaping @Sendable (Invitation, UUID) async throws -> any ResourceSource,
        concluded: @escaping @Sendable (TransferSender.Finished) async -> Void
    ) {
        self.catalogue = catalogue
        self.source = source
        self.concluded = concluded
    }
}
