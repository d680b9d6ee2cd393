package import FoundationEssentials
package import PeerProtocol

/// Several offers of a sender, from which each receiver picks.
///
/// Each picked offer is a transfer of its own, with its own commit, in the same conversation.
package struct OfferChoice: Sendable {
    /// The offers.
    package var catalogue: Catalogue
    /// Makes the source of an offer for a receiver.
    ///
    /// An error ends the conversation, and both sides are told.
    package var source: @Sendable (Invitation, UUID) async throws -> any ResourceSource
    /// Called when a receiver has received or declined one of the offers that it has picked, but for the last one, whose end is that of
    /// the conversation.
    package var concluded: @Sendable (TransferSender.Finished) async -> Void

    /// Creates a choice.
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

/// The offers of a sender that has several, before anything is received.
package struct CatalogueOffer: Sendable {
    /// The sender.
    package var peer: RemotePeer
    /// The offers.
    package var catalogue: Catalogue
    /// The digits that people compare; see ``TransferOffer/pairing``.
    package var pairing: PairingDigits?
}

/// The answer to a catalogue.
package enum CatalogueAnswer: Sendable {
    /// Receive these offers, in this order.
    case pick([UUID])
    /// The same; a person has compared the digits, and they are the same on both screens.
    case pickAndPin([UUID])
    /// Receive nothing, with a reason that the person on the other side sees.
    case decline(Refusal)
}

/// How a receiver picks from several offers.
package struct OfferPicking: Sendable {
    /// Answers a catalogue.
    ///
    /// It must return when its task is cancelled. The manifest of each picked offer is decided on as if it were the only one, but
    /// without digits; one that is declined then does not end the conversation, unless it is the last one.
    package var decide: @Sendable (CatalogueOffer) async throws -> CatalogueAnswer
    /// Called when one of the picked offers was received, but for the last one, which is the result of the receiver.
    package var received: @Sendable (TransferReceiver.Result) async -> Void
    /// Called when one of the picked offers cannot be stored, and so is passed over; not for the last one, which ends the conversation.
    package var refused: @Sendable (UUID, any Error) async -> Void

    /// Creates it.
    package init(
        decide: @escaping @Sendable (CatalogueOffer) async throws -> CatalogueAnswer,
        received: @escaping @Sendable (TransferReceiver.Result) async -> Void,
        refused: @escaping @Sendable (UUID, any Error) async -> Void = { _, _ in }
    ) {
        self.decide = decide
        self.received = received
        self.refused = refused
    }
}
