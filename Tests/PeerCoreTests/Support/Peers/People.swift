import PeerCore
import Testing

/// What the people at two screens do.
enum People {
    /// The digits that a receiver shows; nil if it never shows any.
    static func digits(in updates: TransferUpdates) async -> PairingDigits? {
        for await update in updates {
            if case .transfer(.pairing(let digits)) = update.event { return digits }
        }
        return nil
    }

    /// A person at the sender who looks at the receiver's screen and confirms if the digits are the same.
    static func comparing(with screen: TransferUpdates) -> @Sendable (Invitation) async -> InvitationAnswer {
        { invitation in
            guard let digits = invitation.pairing, await digits == self.digits(in: screen) else {
                return .decline(Refusal(.declined, "the digits differ."))
            }
            return .acceptAndPin
        }
    }

    /// A person at the receiver who takes everything and confirms what digits there are.
    static let confirming: @Sendable (TransferOffer) async throws -> OfferAnswer = { offer in
        .acceptAndPin(offer.kinds)
    }
}
