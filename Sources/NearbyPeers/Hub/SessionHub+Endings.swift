import Logging
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
        let error = end.error(cause: record.conversation.cause)
        let level: Logger.Level = if case .violated = end { .notice } else { .debug }
        let details: Logger.Metadata = ["error": "\(error?.code.description ?? "")", "peer": "\(id.short)"]
        logger.log(level: level, "conversation ended: \(end.logText)", metadata: details)
        if case .declined(let refusal) = end { return declined(number, refusal, record, id) }
        if case .declinedByPeer(let refusal) = end {
            calls.fail(connection: number, PeerError(refusal))
            let name = connections.unname(number, in: &peers[id])
            if peers[id] != nil { apply(id) { $0.declinedByPeer(refusal, on: name, at: clock.now) } }
        }
        if let error {
            if error.cause is ImpostorError, let remote = record.remote { states.report(.refused(remote, error)) }
            failed(number, error, isLinked ? end.reason(error) : nil)
        }
        // Whatever has ended it: three of them end the wish. Last, because the steps above may dial again.
        if record.isOutgoing, record.conversation.state.hasUnsettledDigits, peers[id] != nil {
            apply(id) { $0.comparisonBroke(at: clock.now) }
        }
    }

    /// Handles the end of a connection on which this side has declined.
    private func declined(_ number: Int, _ refusal: Refusal, _ record: ConnectionRecord, _ id: PeerID) {
        let nobodyCompares = configuration.compareDigits == nil && record.isOutgoing && record.digits != nil
        let error = nobodyCompares && refusal.code == .notTrusted ? PeerError.nobodyCompares : PeerError(refusal)
        calls.fail(connection: number, error)
        let name = connections.unname(number, in: &peers[id])
        guard peers[id] != nil else { return }
        apply(id) { $0.declined(refusal, error, on: name, isOutgoing: record.isOutgoing, at: clock.now) }
    }

    /// Handles the failure of a connection; the reason says why there is no link any more, if the connection carried it.
    func failed(_ number: Int, _ error: PeerError, _ reason: DisconnectReason? = nil) {
        calls.fail(connection: number, error)
        guard let id = connections[number]?.peer, peers[id] != nil else { return }
        if let reason { return apply(id) { $0.giveUp(error, reason, at: clock.now) } }
        let name = connections.unname(number, in: &peers[id])
        apply(id) { $0.failed(name, error, isInRoster: isInRoster(id), at: clock.now) }
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

    /// Ends a connection on which the peer broke the protocol.
    func violate(_ number: Int, _ error: ProtocolError) {
        act(number) { $0.receivedInvalid(error) }
    }
}
