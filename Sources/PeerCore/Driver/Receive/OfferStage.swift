import FoundationEssentials

/// The state of a receiver until it has answered the offer.
struct OfferStage: Sendable {
    /// The invitation to the sender.
    var invitation: InvitationRequest
    /// The comparison of digits; nil if none is needed.
    var pairing: PairingStateMachine?
    /// The comparison of the offer with what is here; nil if none is running.
    var survey: RunningSurvey?
    /// Whether the pairing has succeeded.
    private var isPairingSettled = false

    /// Creates the stage of a session that begins.
    ///
    /// - Parameters:
    ///   - configuration: Limits the time for the person at the sender.
    ///   - context: Bytes of the application for the person at the sender.
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
        // This side has stopped the session.
        if case .cancelled = end { return false }
        return true
    }
}
