/// The comparison of digits on a connection, and what it counts for.
struct ConversationPairing: Sendable {
    var machine: PairingStateMachine
    /// Whether the person at this side has said that the digits are the same.
    var isConfirmed = false
    /// Whether the peer still has to be told so.
    var owesConfirmation = false
    /// Whether it has succeeded, or this side has decided that its failure does not count.
    var isSettled = false
    /// Whether its failure was counted.
    var isCounted = false

    /// Whether it has begun, and its failure would count.
    var isOpen: Bool { machine.hasBegun && !isSettled && !isCounted && !isConfirmed }
}

extension ConversationStateMachine {
    func makePairing(_ role: PairingStateMachine.Role, with id: PeerID) -> ConversationPairing {
        let parties =
            switch role {
            case .sender: PairingDigits.Parties(version: version, receiver: id, sender: own.peerID)
            case .receiver: PairingDigits.Parties(version: version, receiver: own.peerID, sender: id)
            }
        return ConversationPairing(machine: PairingStateMachine(role: role, parties: parties, nonce: nonce))
    }

    /// The listener begins.
    mutating func beginPairing(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard pairing == nil, let id = certifiedID else { return [] }
        var pairing = makePairing(.sender, with: id)
        guard case .sendCommitment(let commitment) = pairing.machine.start() else { return [] }
        self.pairing = pairing
        deadline = (.pairing, now + times.pairing)
        return [.send(.pairingCommitment(commitment))]
    }

    mutating func received(_ commitment: PairingCommitment, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        switch pairing?.machine.receivedCommitment(commitment) {
        case .sendNonce(let disclosure):
            deadline = (.pairing, now + times.pairing)
            return [.send(.pairingNonce(disclosure))]
        case .fail(let error): return violated(error)
        case nil: return violated(.unexpected(.pairingCommitment))
        }
    }

    mutating func receivedNonce(_ disclosure: PairingDisclosure) -> [Conversation.Action] {
        switch pairing?.machine.receivedNonce(disclosure) {
        case .sendReveal(let reveal, let digits):
            deadline = invitation.map { (.invitation, $0.end) }
            return [.send(.pairingReveal(reveal)), .tell(.ask(digits))]
        case .fail(let error): return violated(error)
        case nil: return violated(.unexpected(.pairingNonce))
        }
    }

    mutating func receivedReveal(_ disclosure: PairingDisclosure) -> [Conversation.Action] {
        switch pairing?.machine.receivedReveal(disclosure) {
        case .show(let digits):
            deadline = invitation.map { (.invitation, $0.end) }
            return [.tell(.digits(digits))]
        case .fail(let error): return violated(error)
        case nil: return violated(.unexpected(.pairingReveal))
        }
    }

    /// The person at the other side says that the digits are the same.
    mutating func receivedConfirmation() -> [Conversation.Action] {
        switch pairing?.machine.receivedConfirmation() {
        case .pin: [.ask(.pin)]
        case .none?: []
        case .fail(let error): violated(error)
        case nil: violated(.unexpected(.pairingConfirmation))
        }
    }

    /// The person at this side has compared the digits, or continues without a comparison.
    ///
    /// - `isSame`: Whether they are the same; false if the person continues without a comparison.
    package mutating func compared(isSame: Bool, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard !hasEnded else { return [] }
        invitation?.isCleared = true
        guard isSame, digits != nil else { return proceed(at: now) }
        pairing?.isConfirmed = true
        switch pairing?.machine.confirmed() {
        case .sendConfirmation:
            return [.send(.pairingConfirmation)] + proceed(at: now)
        case .sendConfirmationAndPin:
            pairing?.owesConfirmation = true
            return [.ask(.pin)]
        case .none?, nil:
            return proceed(at: now)
        }
    }

    /// The peer is trusted from now on.
    mutating func pinned(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard pairing?.owesConfirmation == true else { return [] }
        pairing?.owesConfirmation = false
        return [.send(.pairingConfirmation)] + proceed(at: now)
    }

    /// The pairing has succeeded, or its failure does not count.
    package mutating func settlePairing() { pairing?.isSettled = true }

    /// The failure of the pairing is counted from now on.
    ///
    /// - Returns: Whether to count it; false if it has not begun, has not failed, or was counted before.
    mutating func countPairing() -> Bool {
        guard pairing?.isOpen == true else { return false }
        pairing?.isCounted = true
        return true
    }

    /// The peer has answered the offer of a transfer, and can no longer confirm the digits.
    package mutating func receivedSelection() -> [Conversation.Action] {
        if case .fail(let error) = pairing?.machine.receivedAnswer(.selection) { return violated(error) }
        settlePairing()
        return []
    }
}
