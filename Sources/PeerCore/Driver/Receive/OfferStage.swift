import FoundationEssentials

/// What a receiver knows until it has answered the offer.
struct OfferStage: Sendable {
    /// What the sender is asked.
    var invitation: InvitationRequest
    /// The comparison of digits; nil if none is needed.
    var pairing: PairingStateMachine?
    /// Whether the pairing has succeeded.
    private var isPairingSettled = false

    /// Creates the stage of a session that begins.
    ///
    /// - Parameters:
    ///   - configuration: How long the sender's person may think.
    ///   - context: Bytes of the application for the sender's person.
    init(_ configuration: SessionConfiguration, context: Data?) {
        let limit = configuration.limits.maximumInvitationTimeout
        let seconds = Int(clamping: configuration.invitationTimeout.components.seconds)
        invitation = InvitationRequest(timeout: max(1, min(limit, seconds)), context: context)
    }

    /// The offer is accepted.
    mutating func accepted() {
        isPairingSettled = true
    }

    /// Whether the end of the session is a pairing that failed.
    func pairingFails(with end: SessionEnd) -> Bool {
        guard let pairing, pairing.hasBegun, !isPairingSettled else { return false }
        // This side stopped by itself.
        if case .cancelled = end { return false }
        return true
    }
}
