import Logging

/// Pairs beside the invitation; the pairing is complete before the offer is answered.
extension ReceiveDriver {
    /// Decides whether digits have to be compared, which the invitation says.
    func preparePairing(with peer: RemotePeer) throws {
        guard peer.security != .plainText, !context.isAttached else { return }
        if let token = context.token {
            // The link names the key, so the name of its owner does not matter.
            offer.invitation.token = token
            return
        }
        switch peer.trust {
        case .impostor(let name):
            throw IdentityRefusal.impostor(name, peer.id)
        case .trusted:
            offer.invitation.isPeerPinned = true
        case .unknown:
            let address = lifecycle.addressKey
            guard let time = context.pairingFailures.timeLocked(address, at: .now) else { break }
            throw PeerError(
                .declined,
                "Too many failed pairings with this machine.",
                remedy: "Try again in \(time.components.seconds + 1) seconds, or use a link."
            )
        }
        offer.pairing = lifecycle.makePairing(.receiver(isRequired: !offer.invitation.isPeerPinned), with: peer.id)
    }

    func receivedPairingCommitment(_ commitment: PairingCommitment) {
        switch offer.pairing?.receivedCommitment(commitment) {
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
        switch offer.pairing?.receivedReveal(disclosure) {
        case .show(let digits):
            lifecycle.disarm(.pairing)
            lifecycle.logger.debug("pairing digits ready to compare")
            context.report(peer, .transfer(.pairing(digits)))
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingReveal))
        }
    }

    func receivedPairingConfirmation() {
        switch offer.pairing?.receivedConfirmation() {
        // The person at this side answers after the offer arrives; then both answers are known.
        case .pin, .none?:
            break
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingConfirmation))
        }
    }

    func receivedAccept() {
        if case .fail(let error) = offer.pairing?.receivedAnswer(.accept) {
            return perform(machine.receivedInvalid(error))
        }
        lifecycle.disarm(.invitation)
        lifecycle.arm(.manifest, after: lifecycle.configuration.manifestTimeout)
        perform(machine.receivedAccept())
    }

    /// The person confirms the digits: pins the sender if its person has confirmed them, too.
    func confirmPairing() async throws {
        guard let peer else { return }
        if offer.pairing != nil { lifecycle.logger.debug("pairing confirmed on this side") }
        switch offer.pairing?.confirmed() {
        case .sendConfirmation:
            lifecycle.send(.pairingConfirmation)
        case .sendConfirmationAndPin:
            try await EventLoopExecutor.offEventLoop { [context] in
                try await context.trust.pin(peer.id, name: peer.displayName)
            }
            lifecycle.send(.pairingConfirmation)
        case .none?, nil:
            break
        }
    }
}
