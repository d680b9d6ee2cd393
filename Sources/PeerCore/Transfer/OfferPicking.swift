package import FoundationEssentials
package import PeerProtocol

/// How a receiver picks from several offers.
package struct OfferPicking: Sendable {
    /// Answers a catalogue.
    ///
    /// It must return when its task is cancelled. The manifest of each picked offer is decided on as if it were the only one, but
    /// without digits; one that is declined then does not end the conversation, unless it is the last one.
    package var decide: @Sendable (Offer) async throws -> Answer
    /// Called when one of the picked offers was received, but for the last one, which is the result of the receiver.
    package var received: @Sendable (TransferReceiver.Result) async -> Void
    /// Called when one of the picked offers cannot be stored, and so is passed over; not for the last one, which ends the
    /// conversation.
    package var refused: @Sendable (UUID, any Error) async -> Void

    package init(
        decide: @escaping @Sendable (Offer) async throws -> Answer,
        received: @escaping @Sendable (TransferReceiver.Result) async -> Void,
        refused: @escaping @Sendable (UUID, any Error) async -> Void = { _, _ in }
    ) {
        self.decide = decide
        self.received = received
        self.refused = refused
    }
}

extension OfferPicking {
    /// The offers of a sender that has several, before anything is received.
    package struct Offer: Sendable {
        /// The sender.
        package var peer: RemotePeer
        /// The offers.
        package var catalogue: Catalogue
        /// The digits that people compare; see ``TransferOffer/pairing``.
        package var pairing: PairingDigits?
    }
}

extension OfferPicking {
    /// The answer to a catalogue.
    package enum Answer: Sendable {
        /// Receive these offers, in this order.
        case pick([UUID])
        /// The same; a person has compared the digits, and they are the same on both screens.
        case pickAndPin([UUID])
        /// Receive nothing, with a reason that the person on the other side sees.
        case decline(Refusal)
    }
}
