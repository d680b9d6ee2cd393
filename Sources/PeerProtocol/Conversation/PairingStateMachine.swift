/// The comparison of six digits between two machines that do not know one another.
///
/// The sender commits itself to a nonce, the receiver shows its own, the sender shows the one that it was committed to;
/// then both have the same digits, bound to both certificates. A machine in between has two connections with two keys
/// of its own and one guess in a million that their digits are the same. (Wire format, "Pairing".)
///
/// It runs between the invitation and its answer, beside the machine of the role.
package struct PairingStateMachine: Sendable {
    /// Which side this is.
    package enum Role: Hashable, Sendable {
        /// The side that is invited; it begins.
        case sender
        /// The side that invites; if pairing is required, the sender cannot accept without it.
        case receiver(isRequired: Bool)
    }

    private enum State {
        /// The sender has not begun. Can become `awaitingNonce` or `failed`.
        case idle
        /// The receiver waits for the sender to begin. Can become `awaitingReveal`, `skipped` or `failed`.
        case awaitingCommitment(isRequired: Bool)
        /// The sender is committed. Can become `comparing` or `failed`.
        case awaitingNonce
        /// The receiver has shown its nonce. Can become `comparing` or `failed`.
        case awaitingReveal(ContentDigest)
        /// People compare. Can become `failed`.
        case comparing(Comparison)
        /// The sender answered without pairing, and the receiver did not require it. Can become `failed`.
        case skipped
        /// The peer broke the protocol. Final.
        case failed
    }

    private struct Comparison {
        var digits: PairingDigits
        var isConfirmedHere = false
        var isConfirmedThere = false
        /// The peer has answered; what it has not confirmed by then, it never does.
        var isAnswered = false
    }

    /// What to do at the start.
    package enum OnStart: Equatable, Sendable {
        /// Send this commitment.
        case sendCommitment(PairingCommitment)
        /// Nothing: it was started before, or is the other side's to start.
        case none
    }

    /// What to do about a commitment.
    package enum OnReceivedCommitment: Equatable, Sendable {
        /// Send our nonce.
        case sendNonce(PairingDisclosure)
        /// End the connection and tell the peer.
        case fail(ProtocolError)
    }

    /// What to do about the receiver's nonce.
    package enum OnReceivedNonce: Equatable, Sendable {
        /// Send our nonce and show the digits.
        case sendReveal(PairingDisclosure, PairingDigits)
        /// End the connection and tell the peer.
        case fail(ProtocolError)
    }

    /// What to do about the sender's nonce.
    package enum OnReceivedReveal: Equatable, Sendable {
        /// Show the digits.
        case show(PairingDigits)
        /// End the connection and tell the peer.
        case fail(ProtocolError)
    }

    /// What to do when the person at this side says that the digits are the same.
    package enum OnConfirmed: Equatable, Sendable {
        /// Tell the peer.
        case sendConfirmation
        /// Tell the peer, and pin it: it has confirmed before.
        case sendConfirmationAndPin
        /// Nothing: there are no digits, or it was said before.
        case none
    }

    /// What to do when the peer says that the digits are the same.
    package enum OnReceivedConfirmation: Equatable, Sendable {
        /// Pin the peer: both have confirmed.
        case pin
        /// Nothing yet.
        case none
        /// End the connection and tell the peer.
        case fail(ProtocolError)
    }

    /// What to do when the peer answers the invitation or the offer.
    package enum OnReceivedAnswer: Equatable, Sendable {
        /// Continue.
        case proceed
        /// End the connection and tell the peer: it answered before the digits were there.
        case fail(ProtocolError)
    }

    private let parties: PairingDigits.Parties
    private let nonce: PairingNonce
    private var state: State

    package init(role: Role, parties: PairingDigits.Parties, nonce: PairingNonce) {
        self.parties = parties
        self.nonce = nonce
        self.state =
            switch role {
            case .sender: .idle
            case .receiver(let isRequired): .awaitingCommitment(isRequired: isRequired)
            }
    }

    /// The digits; nil before both sides have them.
    package var digits: PairingDigits? {
        if case .comparing(let comparison) = state { comparison.digits } else { nil }
    }

    /// Whether a pairing has begun, whatever came of it.
    package var hasBegun: Bool {
        switch state {
        case .idle, .awaitingCommitment, .skipped: false
        case .awaitingNonce, .awaitingReveal, .comparing, .failed: true
        }
    }

    /// Whether the person at the other side has said that the digits are the same.
    package var isConfirmedByPeer: Bool {
        if case .comparing(let comparison) = state { comparison.isConfirmedThere } else { false }
    }

    /// The sender begins.
    package mutating func start() -> OnStart {
        guard case .idle = state else { return .none }
        state = .awaitingNonce
        return .sendCommitment(PairingCommitment(nonce.commitment))
    }

    /// The sender's commitment came.
    package mutating func receivedCommitment(_ commitment: PairingCommitment) -> OnReceivedCommitment {
        guard case .awaitingCommitment = state else { return .fail(unexpected(.pairingCommitment)) }
        state = .awaitingReveal(commitment.commitment)
        return .sendNonce(PairingDisclosure(nonce))
    }

    /// The receiver's nonce came.
    package mutating func receivedNonce(_ disclosure: PairingDisclosure) -> OnReceivedNonce {
        guard case .awaitingNonce = state else { return .fail(unexpected(.pairingNonce)) }
        let digits = PairingDigits(parties, receiverNonce: disclosure.nonce, senderNonce: nonce)
        state = .comparing(Comparison(digits: digits))
        return .sendReveal(PairingDisclosure(nonce), digits)
    }

    /// The sender's nonce came.
    package mutating func receivedReveal(_ disclosure: PairingDisclosure) -> OnReceivedReveal {
        guard case .awaitingReveal(let commitment) = state else { return .fail(unexpected(.pairingReveal)) }
        // Without this check, the sender could choose its nonce after it has seen ours, and try until the digits match.
        guard disclosure.nonce.commitment == commitment else {
            state = .failed
            return .fail(
                ProtocolError(
                    .pairingMismatch,
                    "The other side changed its part of the pairing: an attacker may be intercepting the connection."
                )
            )
        }
        let digits = PairingDigits(parties, receiverNonce: nonce, senderNonce: disclosure.nonce)
        state = .comparing(Comparison(digits: digits))
        return .show(digits)
    }

    /// The person at this side says that the digits are the same on both screens.
    package mutating func confirmed() -> OnConfirmed {
        guard case .comparing(var comparison) = state, !comparison.isConfirmedHere else { return .none }
        comparison.isConfirmedHere = true
        state = .comparing(comparison)
        return comparison.isConfirmedThere ? .sendConfirmationAndPin : .sendConfirmation
    }

    /// The person at the other side says so.
    package mutating func receivedConfirmation() -> OnReceivedConfirmation {
        // A confirmation after the answer could pin a peer whose transfer has begun without one, so it is out of turn.
        guard case .comparing(var comparison) = state, !comparison.isConfirmedThere, !comparison.isAnswered else {
            return .fail(unexpected(.pairingConfirmation))
        }
        comparison.isConfirmedThere = true
        state = .comparing(comparison)
        return comparison.isConfirmedHere ? .pin : .none
    }

    /// The peer said yes: the sender to the invitation (`accept`), the receiver to the offer (`selection`).
    package mutating func receivedAnswer(_ type: FrameType) -> OnReceivedAnswer {
        switch state {
        case .comparing(var comparison):
            comparison.isAnswered = true
            state = .comparing(comparison)
            return .proceed
        // The sender needs no digits: it trusts this side, or has a token or a person's yes.
        case .awaitingCommitment(isRequired: false):
            state = .skipped
            return .proceed
        case .skipped:
            return .proceed
        case .idle, .awaitingCommitment, .awaitingNonce, .awaitingReveal, .failed:
            return .fail(unexpected(type))
        }
    }

    private mutating func unexpected(_ type: FrameType) -> ProtocolError {
        state = .failed
        return .unexpected(type)
    }
}
