import PeerCore
import PeerProtocol

/// What this side wants.
extension PeerStateMachine {
    private mutating func want(_ request: Request, for call: Int) {
        // An invitation takes an earlier disconnection of the peer back.
        blockNumber = nil
        (wasIntroduced, wasRefused) = (false, false)
        self.request = request
        calls.insert(call)
        // The application wants the peer now, so the pauses between attempts begin again.
        if !hasLink { (attempts.count, attempts.brokenComparisonCount) = (0, 0) }
    }

    /// A call of the application, or of the session itself, invites the peer.
    mutating func invited(_ request: Request, by call: Int, at now: ContinuousClock.Instant) -> [PeerAction] {
        want(request, for: call)
        return meet(at: now) { $0.wished() }
    }

    /// A call has dialed an address, and this peer is there; the connection gets no name if it is not needed.
    mutating func adopted(
        _ request: Request,
        by call: Int,
        at now: ContinuousClock.Instant
    ) -> (name: MeetingConnection?, actions: [PeerAction]) {
        want(request, for: call)
        let shown = state
        let actions = meet(at: now) { $0.wished() }
        guard let name = meeting.outgoing?.connection, isPending(name) else { return (nil, actions) }
        // The connection takes the place of a dial, which is not shown, and counts as an attempt as the dial would.
        state = shown
        attempts.count = max(attempts.count, 1)
        openDial = name
        return (name, [])
    }

    /// The person or the application accepts the peer's invitation on a connection; nil if it was withdrawn.
    ///
    /// A late answer must not accept another invitation, because its digits were not compared.
    mutating func accepted(
        on name: MeetingConnection?,
        by call: Int? = nil,
        at now: ContinuousClock.Instant
    ) -> [PeerAction]? {
        guard let name else { return nil }
        if let call, meeting.link?.connection == name { return [.finish([call], nil)] }
        guard meeting.incoming?.connection == name else { return nil }
        wasRefused = false
        if let call { calls.insert(call) }
        return meet(at: now) { $0.answered(true) }
    }

    /// The application disconnects the peer with a call of this number.
    mutating func disconnected(by number: Int, at now: ContinuousClock.Instant) -> [PeerAction] {
        blockNumber = number
        return giveUp(.notConnected, .endedByUs, at: now)
    }

    /// The peer is a member, and this side makes a link with it; nil if it is blocked or refused, or there is a link.
    mutating func introduced(at now: ContinuousClock.Instant) -> [PeerAction]? {
        guard !isBlocked, !wasRefused, !hasLink, meeting.link == nil else { return nil }
        // A person is being asked about the peer's invitation, and an introduction must not answer in their place. If the question
        // stays unanswered, the peer is introduced again later.
        if meeting.wish == nil, case .asking = meeting.incoming?.stage { return [] }
        if meeting.wish == nil { attempts = Attempts() }
        if calls.isEmpty { wasIntroduced = true }
        isOwnWish = true
        var actions: [PeerAction] = []
        if case .disconnected = state { actions = show(.connecting(.dialing)) }
        return actions + meet(at: now) { $0.wished(isIntroduced: true) }
    }
}

/// What happens with members.
extension PeerStateMachine {
    /// The peer has left the group.
    ///
    /// If only others say so, a link keeps its time to be resumed: they may be wrong, or lie.
    mutating func removed(isOwnWord: Bool, at now: ContinuousClock.Instant) -> [PeerAction] {
        guard isOwnWord || !hasLink else { return [] }
        // The member may have said goodbye itself, with a reason.
        let reason = if case .disconnected(.left(let reason)) = state { reason } else { "" }
        // The peer may have named a link that this side does not have.
        return giveUp(.peerLeft, .left(reason), at: now)
    }

    /// The roster has forgotten the peer.
    mutating func forgotten(at now: ContinuousClock.Instant) -> [PeerAction] {
        let actions = meet(at: now) { $0.wishExpired() }
        // Keep the reason for which the peer is disconnected. A replaced program stays disconnected.
        if case .disconnected = state { return actions }
        return actions + show(.disconnected(.lost))
    }

    /// Time has passed: gives up a peer that could not be reached for long.
    mutating func tick(patience: Duration, isInRoster: Bool, at now: ContinuousClock.Instant) -> [PeerAction] {
        guard case .unreachable(let since) = state, now - since >= patience, !isInRoster else { return [] }
        let actions = meet(at: now) { $0.wishExpired() }
        return actions + show(.disconnected(.lost))
    }
}

/// What happens on connections.
extension PeerStateMachine {
    /// The dial has succeeded; returns false if the attempt was replaced or withdrawn meanwhile.
    mutating func opened(_ name: MeetingConnection) -> Bool {
        guard isPending(name) else { return false }
        openDial = name
        return true
    }

    /// A dial has failed.
    mutating func dialFailed(
        _ name: MeetingConnection,
        _ error: PeerError,
        isInRoster: Bool,
        at now: ContinuousClock.Instant
    ) -> [PeerAction] {
        guard isPending(name) else { return [] }
        attempts.error = error
        var actions = giveUpIfHopeless(error, isInRoster: isInRoster, at: now)
        actions += meet(at: now) { $0.closed(name) }
        // Otherwise nothing would end the attempts to resume a link that only the peer has.
        if !hasLink, meeting.link?.wasConnected == false, attempts.count >= Self.maximumAttemptCount {
            actions += meet(at: now) { $0.linkGivenUp() }
        }
        return actions + showEnd(at: now)
    }

    /// A connection, which the meeting knows if it has a name, has failed before it carried the link.
    mutating func failed(
        _ name: MeetingConnection?,
        _ error: PeerError,
        isInRoster: Bool,
        at now: ContinuousClock.Instant
    ) -> [PeerAction] {
        attempts.error = error
        guard let name else { return [] }
        let actions = giveUpIfHopeless(error, isInRoster: isInRoster, at: now)
        return actions + closed(name, at: now)
    }

    /// A connection is closed.
    mutating func closed(_ name: MeetingConnection?, at now: ContinuousClock.Instant) -> [PeerAction] {
        var actions: [PeerAction] = []
        if let name { actions = meet(at: now) { $0.closed(name) } }
        return actions + showEnd(at: now)
    }

    /// A connection that this side has dialed has ended after the digits were known, and this side has not ended it.
    ///
    /// Three in a row end the wish, however they have ended: otherwise people would be shown new digits until they suit the peer.
    mutating func comparisonBroke(at now: ContinuousClock.Instant) -> [PeerAction] {
        attempts.brokenComparisonCount += 1
        guard attempts.brokenComparisonCount >= Self.maximumAttemptCount, meeting.wish != nil else { return [] }
        attempts.error = .pairingBroke
        var actions = finishCalls(.pairingBroke)
        actions += meet(at: now) { $0.wishExpired() }
        return actions + showEnd(at: now)
    }

    /// This side has said no to the peer: a person, the application, or the admission.
    ///
    /// Another attempt would not change that, unless this side is only busy, or has locked the peer for a time. The connection has
    /// ended; it has no name if the meeting does not know it.
    mutating func declined(
        _ refusal: Refusal,
        _ error: PeerError,
        on name: MeetingConnection?,
        isOutgoing: Bool,
        at now: ContinuousClock.Instant
    ) -> [PeerAction] {
        if let name, meeting.incoming?.connection == name, meeting.isAsking {
            wasRefused = [.declined, .notTrusted].contains(refusal.code)
            var actions = meet(at: now) { $0.answered(false) }
            if isConnecting { actions += show(.disconnected(.declined(refusal))) }
            // A parked invitation is not the one that was asked about, but its connection has ended all the same.
            return actions + closed(name, at: now)
        }
        attempts.error = error
        // A peer that the meeting does not know of changes nothing about the wishes of this side.
        guard let name else { return [] }
        let isWanted = meeting.wish != nil
        // A no for the moment does not end the search for a peer that was linked.
        let isPassing = wasLinked && [.busy, .locked, .noAnswer].contains(refusal.code)
        guard isOutgoing || isWanted, !isPassing else { return closed(name, at: now) }
        var actions = finishCalls(error)
        actions += meet(at: now) { $0.refused(name) }
        if isWanted, !hasLink, isUnreachable { actions += show(.disconnected(.failed(error))) }
        return actions + showEnd(at: now)
    }

    /// The peer has said no on a connection.
    mutating func declinedByPeer(
        _ refusal: Refusal,
        on name: MeetingConnection?,
        at now: ContinuousClock.Instant
    ) -> [PeerAction] {
        attempts.error = PeerError(refusal)
        guard let name else { return [] }
        let (count, epoch) = (refusal.connectionCount ?? 0, refusal.epoch ?? 0)
        switch refusal.code {
        case .crossed: return meet(at: now) { $0.receivedDecline(.crossed(connectionCount: count, epoch: epoch), name) }
        case .over: return meet(at: now) { $0.receivedDecline(.over(connectionCount: count, epoch: epoch), name) }
        case .replaced:
            // This state comes last, because it keeps this program from coming back by itself and displacing the other one.
            var actions = endLink(PeerError(.replaced, "Another program is running."), at: now)
            actions += meet(at: now) { $0.receivedDecline(.replaced, name) }
            return actions + show(.disconnected(.replaced))
        default:
            let actions = meet(at: now) { $0.receivedDecline(.refused, name) }
            guard !hasLink, meeting.wish == nil else { return actions }
            return actions + show(.disconnected(.declined(refusal)))
        }
    }

    /// A connection carries the link.
    mutating func established(at now: ContinuousClock.Instant) -> [PeerAction] {
        let returns = !hasLink && wasLinked
        (hasLink, wasLinked, lostSince, attempts) = (true, true, nil, Attempts())
        var actions = show(.connected)
        if returns { actions.append(.reportReturn) }
        return actions + finishCalls(nil)
    }

    /// A connection that should carry the link has ended before it did.
    mutating func notEstablished(_ name: MeetingConnection, at now: ContinuousClock.Instant) -> [PeerAction] {
        guard !hasLink else { return closed(name, at: now) }
        // There is no link to resume, so calls that wait for one need another attempt.
        var actions = meet(at: now) { $0.linkGivenUp() }
        // A peer that was linked is still wanted, as after a lost link.
        if wasLinked { isOwnWish = true }
        if !calls.isEmpty || isOwnWish { actions += meet(at: now) { $0.wished() } }
        return actions + showEnd(at: now)
    }

    /// The link had no connection for too long.
    ///
    /// If other members say that the peer has left, this is believed, now that the link could not be resumed.
    mutating func linkLost(hasLeft: Bool, at now: ContinuousClock.Instant) -> [PeerAction] {
        guard !hasLeft else { return giveUp(.peerLeft, .left(""), at: now) }
        var actions = endLink(.linkLost, at: now)
        actions += meet(at: now) { $0.linkGivenUp() }
        actions += show(.unreachable(since: now))
        // The peer may have restarted, so it is invited. If it has not restarted, it still knows this side.
        isOwnWish = true
        return actions + meet(at: now) { $0.wished() }
    }
}
