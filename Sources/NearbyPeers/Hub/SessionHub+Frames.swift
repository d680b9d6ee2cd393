import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Frames between the hello and the link.
extension SessionHub {
    func received(_ frame: Frame, _ number: Int) async {
        guard let id = connections[number]?.peer else { return }
        switch frame {
        case .invite(let request):
            if await isWelcomeAsIntroduced(number, id) { receivedInvite(request, number, id) }
        case .link(let terms):
            if await isWelcomeAsIntroduced(number, id) { receivedLink(terms, number, id) }
        case .accept: receivedAccept(number, id)
        case .decline(let refusal): receivedDecline(refusal, number, id)
        case .pairingCommitment(let commitment): receivedCommitment(commitment, number)
        case .pairingNonce(let disclosure): receivedNonce(disclosure, number)
        case .pairingReveal(let disclosure): receivedReveal(disclosure, number)
        case .pairingConfirmation: receivedConfirmation(number)
        case .cancel(let cancellation): receivedCancel(cancellation, number, id)
        case .failure(let failure): receivedFailure(failure, number, id)
        default: violate(number, .unexpected(frame.type))
        }
    }

    private func receivedInvite(_ request: InvitationRequest, _ number: Int, _ id: PeerID) {
        guard let record = connections[number], !record.isOutgoing, record.request == nil, record.terms == nil,
            let incarnation = record.incarnation
        else { return violate(number, .unexpected(.invite)) }
        guard let session = request.session else {
            return decline(number, Refusal(.other, "This program offers no transfers."))
        }
        connections[number]?.request = request
        // As long as the peer's own application waits: people at both sides may have digits to compare.
        connections[number]?.timing.invitationEnd = clock.now + .seconds(request.timeout)
        setDeadline(.seconds(request.timeout), number)
        if let refusal = refusal(ofInvitation: request, record, id) { return decline(number, refusal) }
        // The new invitation replaces the earlier one. If that could end a comparison without counting it, a peer could see new
        // digits until they suit it.
        if let earlier = peers[id]?.meeting.incoming?.connection, let replaced = peers[id]?.connections[earlier] {
            notePairingFailure(replaced)
        }
        name(number, id)
        guard let name = connections[number]?.name else { return }
        let invite = Invite(connectionCount: session.connectionCount, wish: session.wish)
        meet(id) { $0.receivedInvite(invite, name, from: incarnation) }
    }

    /// The reason to decline an invitation before a person is asked; nil if there is none.
    private func refusal(ofInvitation request: InvitationRequest, _ record: ConnectionRecord, _ id: PeerID) -> Refusal?
    {
        if hasLeft { return Refusal(.other, "The other side is leaving.") }
        if let token = request.token {
            guard admission.admits(token, from: record.connection.addressKey, at: clock.now) else {
                return Refusal(.link, "The link is invalid or has expired. Ask for a new one.")
            }
            connections[record.number]?.remote?.admittedByLink = true
            return nil
        }
        if case .closed(let reason) = configuration.admission, peers[id]?.meeting.wish == nil {
            return Refusal(.declined, reason)
        }
        return isFull(besides: id) ? .full : nil
    }

    /// Whether this machine has links with the maximum number of peers.
    ///
    /// A peer that is only named by others, or whose link has ended, holds no place.
    func isFull(besides id: PeerID?) -> Bool {
        peers.values.lazy.filter { $0.link != nil && $0.id != id }.count >= configuration.maximumPeers
    }

    func receivedLink(_ terms: LinkTerms, _ number: Int, _ id: PeerID) {
        guard let record = connections[number], !record.route.isSet, let incarnation = record.incarnation,
            let epoch = UInt32(exactly: terms.epoch), let count = UInt32(exactly: terms.connectionCount)
        else { return violate(number, .unexpected(.link)) }
        connections[number]?.terms = terms
        let request = Link(epoch: epoch, connectionCount: count)
        if record.isOutgoing {
            guard let name = record.name else { return }
            return meet(id) { $0.receivedAnswer(request, name) }
        }
        if record.request != nil {
            // A peer that invites waits for the answer, so no peer is linked before the digits are compared.
            guard record.digits.hasSentAccept else { return violate(number, .unexpected(.link)) }
            // What the peer has not confirmed by now, it never does.
            if case .fail(let error) = connections[number]?.digits.pairing?.receivedAnswer(.link) {
                return violate(number, error)
            }
        } else {
            guard record.name == nil else { return violate(number, .unexpected(.link)) }
            guard isMember(id) || peers[id]?.link != nil else {
                guard !record.awaitsIntroduction else { return violate(number, .unexpected(.link)) }
                // A member may have told that peer of this side first.
                connections[number]?.awaitsIntroduction = true
                return setDeadline(Self.introductionTimeout, number)
            }
            self.name(number, id)
        }
        if peers[id]?.link == nil, roster.members[id] == nil, isFull(besides: id) { return refuse(number, .full) }
        guard let name = connections[number]?.name else { return }
        let isMember = isMember(id)
        meet(id) { $0.receivedLink(request, name, from: incarnation, isMember: isMember) }
    }

    /// Whether a peer is in the group or was linked recently, so that it is accepted without a question.
    func isMember(_ id: PeerID) -> Bool {
        if peers[id]?.isBlocked == true { return false }
        if roster.members[id] != nil { return true }
        guard let record = peers[id], record.wasLinked else { return false }
        guard let since = record.lostSince else { return true }
        return clock.now - since <= configuration.reconnection.window + configuration.reconnection.patience
    }

    /// Gives a connection that the peer has dialed its name in the meeting.
    private func name(_ number: Int, _ id: PeerID) {
        let name = MeetingConnection.incoming(UInt64(number))
        connections[number]?.name = name
        var record = makeRecord(id)
        record.connections[name] = number
        peers[id] = record
    }

    private func receivedDecline(_ refusal: Refusal, _ number: Int, _ id: PeerID) {
        logger.debug("declined by the peer", metadata: ["code": "\(refusal.code)", "peer": "\(id.short)"])
        guard let record = connections[number] else { return }
        peers[id]?.attempts.error = PeerError(refusal)
        if let identity = identities.removeValue(forKey: number) {
            identity.continuation.resume(returning: .failure(PeerError(refusal)))
        }
        notePairingFailure(number)
        finish(number, nil)
        guard let name = record.name else { return }
        connections[number]?.name = nil
        peers[id]?.connections[name] = nil
        let decline: Decline =
            switch refusal.code {
            case .crossed: .crossed(connectionCount: refusal.connectionCount ?? 0, epoch: refusal.epoch ?? 0)
            case .over: .over(connectionCount: refusal.connectionCount ?? 0, epoch: refusal.epoch ?? 0)
            case .replaced: .replaced
            default: .refused
            }
        if decline == .replaced { endLink(of: id, PeerError(.replaced, "Another program is running.")) }
        meet(id) { $0.receivedDecline(decline, name) }
        if decline == .replaced { show(.disconnected(.replaced), of: id) }
        if decline == .refused, peers[id]?.link == nil, peers[id]?.meeting.wish == nil {
            show(.disconnected(.declined(refusal)), of: id)
        }
    }

    private func receivedCancel(_ cancellation: Cancellation, _ number: Int, _ id: PeerID) {
        notePairingFailure(number)
        let isLinked = connections[number]?.route.isSet == true
        if isLinked, let link = peers[id]?.link {
            // Records that came before the goodbye still count.
            processRecords(of: link)
            show(.disconnected(.left(cancellation.reason)), of: id)
        }
        finish(number, nil)
        let error = PeerError(.peerCancelled, "The other side has left.")
        guard isLinked else { return failed(number, error, wasLinked: false) }
        giveUp(id, error, .left(cancellation.reason))
    }

    private func receivedFailure(_ failure: Failure, _ number: Int, _ id: PeerID) {
        notePairingFailure(number)
        let code: PeerError.Code =
            switch failure.code {
            case PeerError.Code.notTrusted.description: .notTrusted
            // Silence is no decision: what was too slow can be tried again.
            case PeerError.Code.timedOut.description: .connectionLost
            default: .peerFailed
            }
        let error = PeerError(
            code,
            "The other side reports: \(failure.message)",
            remedy: failure.remedy
        )
        logger.debug("the peer failed", metadata: ["code": "\(failure.code)", "peer": "\(id.short)"])
        let wasLinked = connections[number]?.route.isSet == true
        finish(number, nil)
        failed(number, error, wasLinked: wasLinked)
    }

    /// Handles the end of a connection for a reason that a retry does not solve.
    func failed(_ number: Int, _ error: PeerError, wasLinked: Bool) {
        identities.removeValue(forKey: number)?.continuation.resume(returning: .failure(error))
        guard let record = connections[number], let id = record.peer, peers[id] != nil else { return }
        if wasLinked { return giveUp(id, error, .failed(error)) }
        peers[id]?.attempts.error = error
        guard let name = record.name else { return }
        connections[number]?.name = nil
        peers[id]?.connections[name] = nil
        giveUpIfHopeless(id, error)
        meet(id) { $0.closed(name) }
        noteDisconnection(of: id)
    }
}
