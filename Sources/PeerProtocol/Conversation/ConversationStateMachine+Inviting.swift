/// The invitation and its answer.
extension ConversationStateMachine {
    // MARK: Dialer

    /// The dialer invites the listener.
    ///
    /// - `request`: The invitation; whether the peer is pinned is set here.
    package mutating func invite(
        _ request: InvitationRequest,
        isMember: Bool = false,
        at now: ContinuousClock.Instant
    ) -> [Conversation.Action] {
        guard phase == .ready, side == .dialer else { return [] }
        // Another call may have taken the token back that made up for a wrong name.
        if trust == .impostor, request.token == nil { return [.refuseIdentity] }
        var request = request
        // Anyone on the network can read plain text.
        if certifiedID == nil { request.token = nil }
        request.isPeerPinned = request.token == nil && certifiedID != nil && (trust == .trusted || isMember)
        // The listener declines when its time is over. This side waits a little longer.
        let end = now + .seconds(request.timeout) + times.silence
        invitation = Invitation(request: request, end: end)
        guard let id = certifiedID, request.token == nil else { return sendInvite() }
        let isRequired = !request.isPeerPinned && request.session?.takesAnyone != true
        pairing = makePairing(.receiver(isRequired: isRequired), with: id)
        return isRequired && purpose == .transfer ? [.ask(.pairing(isStranger: true))] : sendInvite()
    }

    private mutating func sendInvite() -> [Conversation.Action] {
        guard let invitation else { return [] }
        phase = .inviting
        deadline = (.invitation, invitation.end)
        // After the invitation to a transfer, a manifest may come.
        return (purpose == .transfer ? [.awaitLongFrames] : []) + [.send(.invite(invitation.request))]
    }

    private mutating func receivedAccept(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard invitation?.isAccepted == false else { return violated(.unexpected(.accept)) }
        if case .fail(let error) = pairing?.machine.receivedAnswer(.accept) { return violated(error) }
        invitation?.isAccepted = true
        // The person who receives a transfer compares the digits when the offer is there.
        if purpose == .transfer || digits == nil { invitation?.isCleared = true }
        return proceed(at: now)
    }

    // MARK: Listener

    /// The peer that invites may continue.
    mutating func invited(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard let invitation else { return [] }
        phase = .inviting
        deadline = (.invitation, invitation.end)
        guard let token = invitation.request.token else { return invitedWithinRules(at: now) }
        // In plain text a token proves nothing.
        return certifiedID == nil ? decline(.wrongToken) : [.ask(.token(token))]
    }

    private mutating func invitedWithinRules(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard let request = invitation?.request else { return [] }
        return purpose == .session ? [.tell(.invited(request))] : consider()
    }

    /// Finds out whether people must compare digits, and lets them, or asks whether the invitation is welcome.
    ///
    /// - `isMember`: Whether the peer belongs to this side's group, or did a moment ago.
    package mutating func consider(isMember: Bool = false, takesAnyone: Bool = false) -> [Conversation.Action] {
        guard phase == .inviting, side == .listener, let invitation, !invitation.isConsidered else { return [] }
        self.invitation?.isConsidered = true
        let isStranger = trust == .unknown && !invitation.hasToken
        guard !needsDigits(invitation, isMember: isMember, takesAnyone: takesAnyone) else {
            return [.ask(.pairing(isStranger: isStranger))]
        }
        self.invitation?.isCleared = true
        return purpose == .session ? [.tell(.ask(nil))] : [.ask(.slot(isStranger: isStranger))]
    }

    private func needsDigits(_ invitation: Invitation, isMember: Bool, takesAnyone: Bool) -> Bool {
        // In plain text, nothing would be bound to a key.
        if invitation.hasToken || certifiedID == nil { return false }
        if takesAnyone, invitation.request.session?.takesAnyone == true { return false }
        // A peer that was restarted, or has lost its list, may know nothing of this machine.
        return !(isMember || trust == .trusted) || !invitation.request.isPeerPinned
    }

    /// The admission has answered.
    mutating func admissionAnswered(
        _ refusal: Refusal?,
        to question: Conversation.Question,
        at now: ContinuousClock.Instant
    ) -> [Conversation.Action] {
        guard phase == .inviting || phase == .ready, invitation != nil else { return [] }
        if let refusal {
            // Another machine may have taken the place: that is no failed pairing.
            if case .transfer = question { settlePairing() }
            return decline(refusal)
        }
        switch question {
        case .token:
            invitation?.hasToken = true
            return invitedWithinRules(at: now)
        case .pairing:
            return side == .dialer ? sendInvite() : beginPairing(at: now)
        case .slot:
            return [.tell(.ask(nil))]
        case .transfer:
            invitation?.hasSlot = true
            return accept(at: now)
        case .trust, .peer, .pin:
            return []
        }
    }

    /// The invitation is welcome: accepts it, as soon as the digits are compared.
    ///
    /// - `isCompared`: For a transfer: whether a person has compared the digits, and they are the same.
    package mutating func accept(isCompared: Bool, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard phase == .inviting, side == .listener, invitation?.isAccepted == false else { return [] }
        invitation?.isCompared = isCompared
        // A person has compared the digits, so a later failure is no wrong guess.
        if isCompared, digits != nil { pairing?.isConfirmed = true }
        return purpose == .session ? accept(at: now) : [.ask(.transfer(byPerson: isCompared))]
    }

    private mutating func accept(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard purpose == .session || invitation?.hasSlot == true else { return [] }
        invitation?.isAccepted = true
        guard purpose == .transfer else { return proceed(at: now) }
        // The person has seen the digits, so the answer covers them, too. Nothing is awaited any more.
        deadline = nil
        return compared(isSame: invitation?.isCompared == true, at: now)
    }

    // MARK: Both

    /// Continues if the invitation is accepted and no comparison is open.
    mutating func proceed(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard phase == .inviting, let invitation, invitation.isAccepted, invitation.isCleared,
            // The peer is pinned first, and told.
            pairing?.owesConfirmation != true
        else { return [] }
        guard purpose == .session else {
            carry(.transfer)
            return (side == .listener ? [.send(.accept)] : []) + [.tell(.accepted)]
        }
        guard side == .listener else {
            phase = .ready
            deadline = (.link, now + times.handshake)
            return [.tell(.accepted)]
        }
        phase = .linking
        // The person at the other side may still be comparing.
        let limit = now + times.handshake
        deadline = (.link, digits == nil ? limit : max(limit, invitation.end))
        return [.send(.accept), .tell(.accepted)]
    }

    mutating func receivedWhileInviting(_ frame: Frame, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        switch (side, frame) {
        case (.dialer, .accept): receivedAccept(at: now)
        case (.dialer, .pairingCommitment(let commitment)): received(commitment, at: now)
        case (.dialer, .pairingReveal(let disclosure)): receivedReveal(disclosure)
        case (.listener, .pairingNonce(let disclosure)): receivedNonce(disclosure)
        case (_, .pairingConfirmation): receivedConfirmation()
        default: violated(.unexpected(frame.type))
        }
    }
}

extension Refusal {
    /// The only answer to a wrong token, whatever is wrong with it.
    package static let wrongToken = Refusal(.link, "The share link is invalid or has expired. Ask for a new one.")
}

/// The request for a link, and its answer.
extension ConversationStateMachine {
    /// The dialer asks for a link.
    package mutating func requestLink(_ terms: LinkTerms, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard phase == .ready, side == .dialer, purpose == .session else { return [] }
        phase = .linking
        deadline = (.link, now + times.handshake)
        return [.awaitLongFrames, .send(.link(terms))]
    }

    mutating func received(_ terms: LinkTerms, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard !hasTerms else { return violated(.unexpected(.link)) }
        // From now on the peer can no longer confirm the digits.
        if side == .listener, case .fail(let error) = pairing?.machine.receivedAnswer(.link) { return violated(error) }
        hasTerms = true
        return [.tell(.link(terms))]
    }

    /// The peer that asks for a link may be introduced within a while.
    package mutating func awaitIntroduction(for duration: Duration, at now: ContinuousClock.Instant) {
        guard phase == .linking else { return }
        deadline = (.introduction, now + duration)
    }

    /// The peer that asks for a link is introduced.
    package mutating func introduced(at now: ContinuousClock.Instant) {
        guard phase == .linking else { return }
        deadline = (.link, now + times.handshake)
    }

    /// The connection carries the link from now on.
    ///
    /// - Parameter answer: What the listener answers; nil at the dialer.
    package mutating func link(answering answer: LinkTerms?) -> [Conversation.Action] {
        guard phase == .linking, hasTerms else { return [] }
        carry(.link)
        settlePairing()
        return answer.map { [.awaitLongFrames, .send(.link($0))] } ?? []
    }
}
