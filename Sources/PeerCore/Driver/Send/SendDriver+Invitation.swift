import Logging

/// Handles an invitation until its answer: links, pairing, people.
extension SendDriver {
    /// The only answer to a wrong token, whatever is wrong with it.
    private static let wrongToken = Refusal(.link, "The link is invalid or has expired. Ask for a new one.")

    private static let transfersOnly = Refusal(.other, "This program offers transfers only.")

    private static func tooMany(_ time: Duration) -> Refusal {
        let seconds = time.components.seconds + 1
        return Refusal(.locked, "Too many machines are asking to pair. Try again in \(seconds) seconds, or use a link.")
    }

    /// Counts a pairing that began and failed, before the peer can learn of it and retry.
    func notePairing(_ end: SessionEnd) {
        guard invitation.pairingFails(with: end) else { return }
        lifecycle.logger.debug("pairing failed")
        context.admission.pairingFailed(lifecycle.addressKey, at: .now)
    }

    func receivedInvite(_ request: InvitationRequest) async {
        switch machine.receivedInvite(request) {
        case .ask(let request):
            lifecycle.disarm(.manifest)
            let seconds = min(request.timeout, lifecycle.configuration.limits.maximumInvitationTimeout)
            lifecycle.arm(.invitation, after: .seconds(seconds))
            invitation.request = request
            await admit(request)
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    private func admit(_ request: InvitationRequest) async {
        guard let peer else { return }
        guard request.session == nil else { return await answer(.decline(Self.transfersOnly)) }
        guard !context.isAttached else { return askWhoDecides() }
        if let token = request.token {
            guard peer.security != .plainText, context.admission.admits(token, from: lifecycle.addressKey, at: .now)
            else { return await answer(.decline(Self.wrongToken)) }
            self.peer?.admittedByLink = true
            return await ask(isStranger: false)
        }
        switch peer.trust {
        case .impostor(let name): fail(IdentityRefusal.impostor(name, peer.id))
        case .trusted where request.isPeerPinned: await ask(isStranger: false)
        case .trusted: await beginPairing(with: peer, isStranger: false)
        case .unknown where peer.security == .plainText: await ask(isStranger: true)
        case .unknown: await beginPairing(with: peer, isStranger: true)
        }
    }

    private func beginPairing(with peer: RemotePeer, isStranger: Bool) async {
        if let time = context.admission.timeLockedForPairing(lifecycle.addressKey, at: .now) {
            let seconds = time.components.seconds + 1
            return await answer(
                .decline(Refusal(.locked, "Too many failed pairings. Try again in \(seconds) seconds, or use a link."))
            )
        }
        // A peer that cannot pair now must not evict another one.
        if let time = context.admission.timeToWaitForPairing(lifecycle.addressKey, at: .now) {
            return await answer(.decline(Self.tooMany(time)))
        }
        guard takesInvitation(isStranger: isStranger) else { return await answer(.decline(.senderIsBusy)) }
        if let time = context.admission.beginPairing(lifecycle.addressKey, at: .now) {
            return await answer(.decline(Self.tooMany(time)))
        }
        var pairing = lifecycle.makePairing(.sender, with: peer.id)
        guard case .sendCommitment(let commitment) = pairing.start() else { return }
        invitation.pairing = pairing
        lifecycle.logger.debug("pairing started")
        lifecycle.send(.pairingCommitment(commitment))
        lifecycle.arm(.pairing, after: lifecycle.configuration.pairingTimeout)
    }

    func receivedPairingNonce(_ disclosure: PairingDisclosure) async {
        switch invitation.pairing?.receivedNonce(disclosure) {
        case .sendReveal(let reveal, let digits):
            lifecycle.disarm(.pairing)
            lifecycle.logger.debug("pairing digits ready to compare")
            lifecycle.send(.pairingReveal(reveal))
            context.report(peer, .transfer(.pairing(digits)))
            askWhoDecides()
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingNonce))
        }
    }

    func receivedPairingConfirmation() async {
        switch invitation.pairing?.receivedConfirmation() {
        case .pin:
            await pin()
        case .none?:
            break
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingConfirmation))
        }
    }

    private func ask(isStranger: Bool) async {
        guard takesInvitation(isStranger: isStranger) else { return await answer(.decline(.senderIsBusy)) }
        askWhoDecides()
    }

    private func takesInvitation(isStranger: Bool) -> Bool {
        let jobs = jobs
        let isTaken = context.admission.invited(context.session, isStranger: isStranger) {
            jobs.add { await self.answer(.decline(.senderIsBusy)) }
        }
        if isTaken { context.report(peer, .transfer(.waitingForPeer)) }
        return isTaken
    }

    private func askWhoDecides() {
        guard let peer, machine.end == nil else { return }
        invitation.visit = .asked
        let question = Invitation(
            peer: peer,
            manifest: manifest,
            context: invitation.request?.context,
            pairing: invitation.pairing?.digits
        )
        jobs.add { [context] in
            let answer = await EventLoopExecutor.offEventLoop { await context.decide(question) }
            await self.answer(answer)
        }
    }

    func answer(_ answer: InvitationAnswer) async {
        var refusal: Refusal?
        if case .decline(let reason) = answer { refusal = reason }
        if refusal == nil, machine.isInvited, !context.isAttached, !takesPlace(answer) { refusal = .senderIsBusy }
        lifecycle.disarm(.invitation)
        lifecycle.disarm(.pairing)
        switch machine.invitationAnswered(refusal) {
        case .sendManifest(let manifest):
            if case .acceptAndPin = answer { await confirmPairing() }
            guard machine.end == nil else { return }
            lifecycle.send(.accept)
            lifecycle.send(.manifest(manifest.body))
            // The receiver declines when its time is over. This side waits a little longer.
            lifecycle.arm(.offer, after: offerTimeout(answer) + lifecycle.configuration.silenceTimeout)
            context.report(peer, .transfer(.connected))
            lifecycle.noteState(machine.stateName)
        case .sendDecline(let refusal):
            notePairing(.declined(refusal))
            lifecycle.send(.decline(refusal))
            finish(.declined(refusal))
        case .none:
            break
        }
    }

    private func takesPlace(_ answer: InvitationAnswer) -> Bool {
        let jobs = jobs
        return context.admission.accepted(context.session, byPerson: answer.isByPerson) {
            jobs.add { await self.makeRoom() }
        }
    }

    private func makeRoom() {
        let message = "Another receiver took the place of this one, which had not answered the offer."
        fail(PeerError(.timedOut, message, remedy: "The receiver can try again."))
    }

    /// How long the receiver may take to answer the offer: less if neither a person nor a secret has admitted it.
    private func offerTimeout(_ answer: InvitationAnswer) -> Duration {
        let time = lifecycle.configuration.offerTimeout
        if case .trusted? = peer?.trust { return time }
        if peer?.admittedByLink == true || answer.isByPerson { return time }
        return min(time, lifecycle.configuration.unattendedOfferTimeout)
    }

    private func confirmPairing() async {
        switch invitation.pairing?.confirmed() {
        case .sendConfirmation:
            lifecycle.send(.pairingConfirmation)
        case .sendConfirmationAndPin:
            await pin()
            lifecycle.send(.pairingConfirmation)
        case .none?, nil:
            break
        }
    }

    private func pin() async {
        guard let peer else { return }
        lifecycle.logger.debug("pairing confirmed on both sides")
        do {
            try await EventLoopExecutor.offEventLoop { [context] in
                try await context.trust.pin(peer.id, name: peer.displayName)
            }
        } catch {
            fail(error)
        }
    }

    /// Whether the pairing allows the receiver to answer the offer now; ends the session if not.
    func pairingAllowsAnswer(_ type: FrameType) -> Bool {
        guard case .fail(let error) = invitation.pairing?.receivedAnswer(type) else { return true }
        perform(machine.receivedInvalid(error))
        return false
    }
}
