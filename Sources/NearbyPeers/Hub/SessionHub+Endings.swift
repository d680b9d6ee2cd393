import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// The ends of conversations.
extension SessionHub {
    /// Handles the end of a conversation.
    func ended(_ number: Int, _ end: SessionEnd, _ record: ConnectionRecord, _ id: PeerID) {
        record.question?.finish()
        let isLinked = record.route.isSet
        if case .cancelledByPeer(let cancellation) = end, isLinked, let link = peers[id]?.link {
            // Records that arrived before the goodbye still count.
            processRecords(of: link)
            show(.disconnected(.left(cancellation.reason)), of: id)
        }
        detach(record)
        switch end {
        case .declined(let refusal):
            declined(number, refusal, record, id)
        case .declinedByPeer(let refusal):
            declinedByPeer(refusal, number, record, id)
        case .cancelledByPeer(let cancellation):
            let error = PeerError(.peerCancelled, "The other side has left.")
            guard isLinked else { return failed(number, error, wasLinked: false) }
            giveUp(id, error, .left(cancellation.reason))
        case .failedByPeer(let failure):
            logger.debug("the peer failed", metadata: ["code": "\(failure.code)", "peer": "\(id.short)"])
            failedByPeer(error(of: failure), number, id, wasLinked: isLinked)
        case .violated(let error):
            logger.notice("the peer broke the protocol", metadata: ["error": "\(error)", "peer": "\(id.short)"])
            failed(number, PeerError(end) ?? .notConnected, wasLinked: isLinked)
        case .failed:
            let error = record.conversation.cause as? PeerError ?? PeerError(end) ?? .notConnected
            logger.debug("connection failed", metadata: ["error": "\(error)", "peer": "\(id.short)"])
            if error.cause is ImpostorError, let remote = record.remote { board.report(.refused(remote, error)) }
            failed(number, error.code == .timedOut ? .tooSlow : error, wasLinked: isLinked)
        case .completed, .cancelled, .connectionLost:
            break
        }
    }

    private func error(of failure: Failure) -> PeerError {
        let code: PeerError.Code =
            switch failure.code {
            case PeerError.Code.notTrusted.description: .notTrusted
            // A timeout is not a refusal, so the attempt can be repeated.
            case PeerError.Code.timedOut.description: .connectionLost
            default: .peerFailed
            }
        return PeerError(code, "The other side reports: \(failure.message)", remedy: failure.remedy)
    }

    private func failedByPeer(_ error: PeerError, _ number: Int, _ id: PeerID, wasLinked: Bool) {
        guard error.code == .connectionLost, !wasLinked else { return failed(number, error, wasLinked: wasLinked) }
        // Silence is no decision: it is as if the connection had broken.
        identities.removeValue(forKey: number)?.continuation.resume(returning: .failure(error))
        peers[id]?.attempts.error = error
    }

    private func declinedByPeer(_ refusal: Refusal, _ number: Int, _ record: ConnectionRecord, _ id: PeerID) {
        logger.debug("declined by the peer", metadata: ["code": "\(refusal.code)", "peer": "\(id.short)"])
        peers[id]?.attempts.error = PeerError(refusal)
        if let identity = identities.removeValue(forKey: number) {
            identity.continuation.resume(returning: .failure(PeerError(refusal)))
        }
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
        // This state comes last, because it keeps this program from coming back by itself and displacing the other one.
        if decline == .replaced { show(.disconnected(.replaced), of: id) }
        if decline == .refused, peers[id]?.link == nil, peers[id]?.meeting.wish == nil {
            show(.disconnected(.declined(refusal)), of: id)
        }
    }

    /// Declines what the peer asks for on a connection.
    func decline(_ number: Int, _ refusal: Refusal) {
        // Another machine may have taken the place: that is no failed pairing.
        if refusal == .full { connections[number]?.conversation.settlePairing() }
        act(number) { $0.decline(refusal) }
    }

    /// Handles the end of a connection on which this side has declined.
    private func declined(_ number: Int, _ refusal: Refusal, _ record: ConnectionRecord, _ id: PeerID) {
        logger.debug("declined", metadata: ["code": "\(refusal.code)", "peer": "\(id.short)"])
        // A peer that the meeting does not know of changes nothing about the wishes of this side.
        guard record.hasMet else { return failed(number, PeerError(refusal), wasLinked: false) }
        if let name = record.name, peers[id]?.meeting.incoming?.connection == name, peers[id]?.meeting.isAsking == true
        {
            meet(id) { $0.answered(false) }
            if case .connecting? = peers[id]?.state { show(.disconnected(.declined(refusal)), of: id) }
            return noteDisconnection(of: id)
        }
        let isOwn = record.isOutgoing || peers[id]?.meeting.wish != nil
        let error = peers[id]?.attempts.error ?? PeerError(refusal)
        failed(number, error, wasLinked: false)
        if isOwn { failWishes(of: id, error) }
    }

    /// Ends a connection on which the peer broke the protocol.
    func violate(_ number: Int, _ error: ProtocolError) {
        act(number) { $0.receivedInvalid(error) }
    }

    /// Handles the failure of a connection.
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
