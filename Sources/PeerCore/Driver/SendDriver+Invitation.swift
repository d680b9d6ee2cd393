import Logging

/// What happens between an invitation and its answer: links, pairing, people.
extension SendDriver {
    /// The one answer to a token that is not right, whatever is wrong with it.
    private static let wrongToken = Refusal(.link, "The link is invalid or has expired. Ask for a new one.")
    private static let busy = Refusal(.busy, "The sender is busy with other receivers. Try again in a moment.")

    private static func tooMany(_ time: Duration) -> Refusal {
        let seconds = time.components.seconds + 1
        return Refusal(.locked, "Too many machines are asking to pair. Try again in \(seconds) seconds, or use a link.")
    }

    /// Counts a pairing that has begun and came to nothing, before the peer can know and come again.
    func notePairing(_ end: SessionEnd) {
        guard let pairing, pairing.hasBegun, !isPairingSettled else { return }
        isPairingSettled = true
        switch end {
        // This side stopped by itself, or somebody else's invitation took the place: no fault of the peer's.
        case .cancelled, .declined(Self.busy): break
        default:
            lifecycle.logger.debug("pairing failed")
            admission.pairingFailed(lifecycle.addressKey, at: .now)
        }
    }

    func receivedInvite(_ request: InvitationRequest) async {
        switch machine.receivedInvite(request) {
        case .ask(let request):
            lifecycle.disarm(.manifest)
            let seconds = min(request.timeout, lifecycle.configuration.limits.maximumInvitationTimeout)
            lifecycle.arm(.invitation, after: .seconds(seconds))
            self.request = request
            await admit(request)
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    private func admit(_ request: InvitationRequest) async {
        guard let peer else { return }
        if let token = request.token {
            guard peer.security != .plainText, admission.admits(token, from: lifecycle.addressKey, at: .now)
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
        if let time = admission.timeLockedForPairing(lifecycle.addressKey, at: .now) {
            let seconds = time.components.seconds + 1
            return await answer(
                .decline(Refusal(.locked, "Too many failed pairings. Try again in \(seconds) seconds, or use a link."))
            )
        }
        // Whoever cannot pair now takes nobody's place.
        if let time = admission.timeToWaitForPairing(lifecycle.addressKey, at: .now) {
            return await answer(.decline(Self.tooMany(time)))
        }
        guard takesInvitation(isStranger: isStranger) else { return await answer(.decline(Self.busy)) }
        if let time = admission.beginPairing(lifecycle.addressKey, at: .now) {
            return await answer(.decline(Self.tooMany(time)))
        }
        var pairing = lifecycle.makePairing(.sender, with: peer.id)
        guard case .sendCommitment(let commitment) = pairing.start() else { return }
        self.pairing = pairing
        lifecycle.logger.debug("pairing started")
        lifecycle.send(.pairingCommitment(commitment))
        lifecycle.arm(.pairing, after: lifecycle.configuration.pairingTimeout)
    }

    func receivedPairingNonce(_ disclosure: PairingDisclosure) async {
        switch pairing?.receivedNonce(disclosure) {
        case .sendReveal(let reveal, let digits):
            lifecycle.disarm(.pairing)
            lifecycle.logger.debug("pairing digits ready to compare")
            lifecycle.send(.pairingReveal(reveal))
            report(peer, .transfer(.pairing(digits)))
            askWhoDecides()
        case .fail(let error):
            perform(machine.receivedInvalid(error))
        case nil:
            perform(machine.receivedOther(.pairingNonce))
        }
    }

    func receivedPairingConfirmation() async {
        switch pairing?.receivedConfirmation() {
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
        guard takesInvitation(isStranger: isStranger) else { return await answer(.decline(Self.busy)) }
        askWhoDecides()
    }

    private func takesInvitation(isStranger: Bool) -> Bool {
        let jobsIn = self.jobsIn
        let isTaken = admission.invited(session, isStranger: isStranger) {
            jobsIn.yield { await self.answer(.decline(Self.busy)) }
        }
        if isTaken { report(peer, .transfer(.waitingForPeer)) }
        return isTaken
    }

    private func askWhoDecides() {
        guard let peer, machine.end == nil else { return }
        visit = .asked
        let invitation = Invitation(
            peer: peer,
            manifest: source.manifest,
            context: request?.context,
            pairing: pairing?.digits
        )
        jobsIn.yield { [decide] in
            let answer = await EventLoopExecutor.offEventLoop { await decide(invitation) }
            await self.answer(answer)
        }
    }

    func answer(_ answer: InvitationAnswer) async {
        var refusal: Refusal?
        if case .decline(let reason) = answer { refusal = reason }
        if refusal == nil, machine.isInvited, !takesPlace(answer) { refusal = Self.busy }
        lifecycle.disarm(.invitation)
        lifecycle.disarm(.pairing)
        switch machine.invitationAnswered(refusal) {
        case .sendManifest(let manifest):
            if case .acceptAndPin = answer { await confirmPairing() }
            guard machine.end == nil else { return }
            lifecycle.send(.accept)
            lifecycle.send(.manifest(manifest.body))
            // The receiver declines when its time is over; a little later we stop waiting for that.
            lifecycle.arm(.offer, after: offerTimeout(answer) + lifecycle.configuration.silenceTimeout)
            report(peer, .transfer(.connected))
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
        let jobsIn = self.jobsIn
        return admission.accepted(session, byPerson: answer.isByPerson) { jobsIn.yield { await self.makeRoom() } }
    }

    private func makeRoom() {
        let message = "Another receiver took the place of this one, which had not answered the offer."
        fail(PeerError(.timedOut, message, remedy: "The receiver can try again."))
    }

    /// How long the receiver may think about the offer: less if neither a person nor a secret has let it in.
    private func offerTimeout(_ answer: InvitationAnswer) -> Duration {
        let time = lifecycle.configuration.offerTimeout
        if case .trusted? = peer?.trust { return time }
        if peer?.admittedByLink == true || answer.isByPerson { return time }
        return min(time, lifecycle.configuration.unattendedOfferTimeout)
    }

    private func confirmPairing() async {
        switch pairing?.confirmed() {
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
            try await EventLoopExecutor.offEventLoop { [trust] in try await trust.pin(peer.id, name: peer.displayName) }
        } catch {
            fail(error)
        }
    }

    /// Whether the receiver may answer the offer now; ends the session if not.
    func pairingAllowsAnswer(_ type: FrameType) -> Bool {
        guard case .fail(let error) = pairing?.receivedAnswer(type) else { return true }
        perform(machine.receivedInvalid(error))
        return false
    }
}
