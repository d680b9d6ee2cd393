/// The state of an invitation until the receiver has answered the offer.
struct InvitationStage: Sendable {
    /// The invitation that is being answered.
    var request: InvitationRequest?
    /// The comparison of digits; nil if none is needed.
    var pairing: PairingStateMachine?
    /// How far the peer has come, while it is not accepted.
    var visit = VisitReports.Visit.unasked
    /// Whether the pairing has succeeded or its failure is counted.
    private var isPairingSettled = false

    /// The receiver has answered the offer.
    mutating func offerAnswered() {
        isPairingSettled = true
    }

    /// Whether the end of the session is a pairing that failed; true at most once.
    mutating func pairingFails(with end: SessionEnd) -> Bool {
        guard let pairing, pairing.hasBegun, !isPairingSettled else { return false }
        isPairingSettled = true
        return switch end {
        // This side has stopped the session, or there was no place. Neither is a failed pairing.
        case .cancelled, .declined(.senderIsBusy): false
        default: true
        }
    }
}

extension Refusal {
    /// The refusal if there is no place for a receiver.
    static let senderIsBusy = Refusal(.busy, "The sender is busy with other receivers. Try again in a moment.")
}
