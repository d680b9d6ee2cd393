import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// The ends of conversations.
extension SessionHub {
    /// Handles the end of a conversation.
    func ended(_ number: Int, _ end: ConversationEnd, _ record: ConnectionRecord, _ id: PeerID) {
        record.question?.finish()
        let isLinked = record.route.isSet
        if case .cancelledByPeer(let cancellation) = end, isLinked, let link = peers[id]?.link {
            // Records that arrived before the goodbye still count.
            processRecords(of: link)
            apply(id) { $0.show(.disconnected(.left(cancellation.reason))) }
        }
        detach(record)
        switch end {
        case .declined(let refusal):
            logger.debug("declined", metadata: ["code": "\(refusal.code)", "peer": "\(id.short)"])
            return declined(number, refusal, record, id)
        case .declinedByPeer(let refusal):
            logger.debug("declined by the peer", metadata: ["code": "\(refusal.code)", "peer": "\(id.short)"])
            calls.fail(connection: number, PeerError(refusal))
            let name = unname(number, id)
            if peers[id] != nil { apply(id) { $0.declinedByPeer(refusal, on: name, at: clock.now) } }
        case .cancelledByPeer(let cancellation):
            let error = PeerError(.peerCancelled, "The other side has left.")
            failed(number, error, .left(cancellation.reason), wasLinked: isLinked)
        case .failedByPeer(let failure):
            logger.debug("the peer failed", metadata: ["code": "\(failure.code)", "peer": "\(id.short)"])
            failed(number, PeerError(failedLink: failure), wasLinked: isLinked)
        case .violated(let error):
            logger.notice("the peer broke the protocol", metadata: ["error": "\(error)", "peer": "\(id.short)"])
            failed(number, PeerError(end) ?? .notConnected, wasLinked: isLinked)
        case .failed:
            let error = record.conversation.cause as? PeerError ?? PeerError(end) ?? .notConnected
            logger.debug("connection failed", metadata: ["error": "\(error)", "peer": "\(id.short)"])
            if error.cause is ImpostorError, let remote = record.remote { states.report(.refused(remote, error)) }
            failed(number, error.code == .timedOut ? .tooSlow : error, wasLinked: isLinked)
        case .completed, .cancelled, .connectionLost:
            break
        }
        // Whatever has ended it: three of them end the wish. Last, because the steps above may dial again.
        if record.isOutgoing, record.conversation.state.hasUnsettledDigits, peers[id] != nil {
            apply(id) { $0.comparisonBroke(at: clock.now) }
        }
    }

    /// Removes the name of a connection, because the peer's machine hears of its end now.
    private func unname(_ number: Int, _ id: PeerID) -> MeetingConnection? {
        guard let name = connections[number]?.name else { return nil }
        connections[number]?.name = nil
        peers[id]?.connections[name] = nil
        return name
    }

    /// Declines what the peer asks for on a connection.
    func decline(_ number: Int, _ refusal: Refusal) {
        act(number) { $0.decline(refusal) }
    }

    /// Declines what the peer asks for because other peers have the places: that is no failed pairing.
    func makeRoom(_ number: Int) {
        connections[number]?.conversation.settlePairing()
        decline(number, .full)
    }

    /// Handles the end of a connection on which this side has declined.
    private func declined(_ number: Int, _ refusal: Refusal, _ record: ConnectionRecord, _ id: PeerID) {
        let nobodyCompares = configuration.compareDigits == nil && record.isOutgoing && record.digits != nil
        let error = nobodyCompares && refusal.code == .notTrusted ? PeerError.nobodyCompares : PeerError(refusal)
        calls.fail(connection: number, error)
        let name = unname(number, id)
        guard peers[id] != nil else { return }
        apply(id) { $0.declined(refusal, error, on: name, isOutgoing: record.isOutgoing, at: clock.now) }
    }

    /// Ends a connection on which the peer broke the protocol.
    func violate(_ number: Int, _ error: ProtocolError) {
        act(number) { $0.receivedInvalid(error) }
    }

    /// Handles the failure of a connection.
    ///
    /// - Parameters:
    ///   - number: The connection.
    ///   - error: Why it failed.
    ///   - reason: Why there is no link any more, if the connection carried it; nil for the error.
    ///   - wasLinked: Whether it carried the link.
    func failed(_ number: Int, _ error: PeerError, _ reason: DisconnectReason? = nil, wasLinked: Bool = false) {
        calls.fail(connection: number, error)
        guard let id = connections[number]?.peer, peers[id] != nil else { return }
        if wasLinked { return apply(id) { $0.giveUp(error, reason ?? .failed(error), at: clock.now) } }
        let name = unname(number, id)
        apply(id) { $0.failed(name, error, isInRoster: isInRoster(id), at: clock.now) }
    }
}
