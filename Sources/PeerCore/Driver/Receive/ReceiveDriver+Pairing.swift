import Logging

/// Pairing, as the receiver does it: beside the invitation, and done before the offer is answered.
extension ReceiveDriver {
    func receivedPairingCommitment(_ commitment: PairingCommitment) {
        switch pairing?.receivedCommitment(commitment) {
        case .sendNonce(let disclosure):
            lifecycle.logger.debug("pairing started")
            lifecycle.send(.pairingNonce(disclosure))
            lifecycle.arm(.pairing, after: lifecycle.configuration.pairingTimeout)
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingCommitment))
        }
    }

    func receivedPairingReveal(_ disclosure: PairingDisclosure) {
        switch pairing?.receivedReveal(disclosure) {
        case .show(let digits):
            lifecycle.disarm(.pairing)
            lifecycle.logger.debug("pairing digits ready to compare")
            report(peer, .transfer(.pairing(digits)))
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingReveal))
        }
    }

    func receivedPairingConfirmation() {
        switch pairing?.receivedConfirmation() {
        // The person here answers once the offer is there, and then both are known.
        case .pin, .none?:
            break
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingConfirmation))
        }
    }

    func receivedAccept() {
        if case .fail(let error) = pairing?.receivedAnswer(.accept) {
            return perform(machine.receivedInvalid(error))
        }
        lifecycle.disarm(.invitation)
        lifecycle.arm(.manifest, after: lifecycle.configuration.manifestTimeout)
        perform(machine.receivedAccept())
    }

    /// The person says that the digits are the same: pins the sender if its person has said so, too.
    func confirmPairing() async throws {
        guard let peer else { return }
        if pairing != nil { lifecycle.logger.debug("pairing confirmed on this side") }
        switch pairing?.confirmed() {
        case .sendConfirmation:
            lifecycle.send(.pairingConfirmation)
        case .sendConfirmationAndPin:
            try await EventLoopExecutor.offEventLoop { [trust] in try await trust.pin(peer.id, name: peer.displayName) }
            lifecycle.send(.pairingConfirmation)
        case .none?, nil:
            break
        }
    }
}
