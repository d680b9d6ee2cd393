/// Asks who decides about an invitation, and passes the answer on.
extension SendDriver {
    func askWhoDecides(_ digits: PairingDigits?) {
        guard let peer, machine.end == nil else { return }
        context.report(peer, .transfer(.waitingForPeer))
        if let digits { context.report(peer, .transfer(.pairing(digits))) }
        let question = Invitation(
            peer: peer,
            manifest: manifest,
            context: conversation.state.request?.context,
            pairing: digits,
            turn: prospect
        )
        invitation = question
        jobs.add { [context] in
            let answer = await EventLoopExecutor.offEventLoop { await context.decide(question) }
            await self.answer(answer)
        }
    }

    func answer(_ answer: InvitationAnswer) async {
        // The peer may have left, or lost its slot, while the person was asked.
        guard conversation.state.isInviting else { return }
        switch answer {
        case .accept, .acceptAndPin:
            offerTimeout = offerTimeout(answer)
            await handle(conversation.accept(isCompared: answer.isByPerson, at: .now))
        case .decline(let refusal): await handle(conversation.decline(refusal))
        }
    }

    /// Another peer takes the place of this invitation: that is no failed pairing.
    func giveUpInvitation() async {
        guard conversation.state.isInviting else { return }
        conversation.settlePairing()
        await handle(conversation.decline(.isBusy))
    }

    /// Another receiver takes the place of this one.
    func makeRoom() {
        // The receiver may have answered while this waited for its turn.
        guard !machine.hasSelection, choice.current == nil else { return }
        let message =
            isPreparing
            ? "Another receiver took the place of this one, whose offer was still being made."
            : "Another receiver took the place of this one, which had not answered the offer."
        fail(PeerError(.timedOut, message, remedy: "The receiver can try again."))
    }

    /// How long the receiver may take to answer the offer: less if neither a person nor a secret has admitted it.
    private func offerTimeout(_ answer: InvitationAnswer) -> Duration {
        let time = lifecycle.configuration.offerTimeout
        if peer?.trust.isAdmitted == true { return time }
        if peer?.isAdmittedByShareLink == true || answer.isByPerson { return time }
        return min(time, lifecycle.configuration.unattendedOfferTimeout)
    }
}
