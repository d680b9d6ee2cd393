import Logging

/// The log messages of a session. They never contain resource names, contents or secrets.
extension SessionLifecycle {
    /// Logs a change of a state machine's state since the last call.
    mutating func noteState(_ state: String) {
        guard state != loggedState else { return }
        logger.debug("state changed", metadata: ["from": "\(loggedState)", "to": "\(state)"])
        loggedState = state
    }

    func logOpened(_ security: ConnectionSecurity) {
        switch security {
        case .encrypted(let id): logger.debug("connection is open", metadata: ["security": "TLS", "id": "\(id.short)"])
        case .plainText: logger.debug("connection is open", metadata: ["security": "none"])
        }
    }

    func logHello(_ hello: Hello) {
        logger.debug(
            "hello received",
            metadata: [
                "peer": "\(hello.peerID.short)", "name": "\(hello.displayName)", "software": "\(hello.software)",
            ]
        )
    }

    /// Logs a new deadline, but not one that only moves.
    func logSet(_ deadline: SessionDeadline, after time: Duration, isNew: Bool) {
        if isNew { logger.trace("timer set", metadata: ["timer": "\(deadline)", "time": "\(time)"]) }
    }

    func logStopped(_ deadline: SessionDeadline, isSet: Bool) {
        if isSet { logger.trace("timer stopped", metadata: ["timer": "\(deadline)"]) }
    }

    func logExpired(_ deadline: SessionDeadline) {
        logger.debug("timer expired", metadata: ["timer": "\(deadline)"])
    }

    /// Logs that the peer has been silent for longer than two keep-alive intervals.
    func logSilence(at now: ContinuousClock.Instant, isLost: Bool) {
        guard let last = connection.activity.last else { return }
        let silence = now - last
        if isLost {
            logger.debug("nothing received: connection lost", metadata: ["silence": "\(silence)"])
        } else if !isBusy, silence > configuration.keepAliveInterval * 2 {
            logger.debug("nothing received for too long", metadata: ["silence": "\(silence)"])
        }
    }

    func logEnd(_ end: SessionEnd) {
        logger.debug("session ended", metadata: ["end": "\(end.logName)"])
    }
}

extension SessionEnd {
    /// The kind of end.
    ///
    /// The messages of both sides stay out of logs.
    fileprivate var logName: String {
        switch self {
        case .completed: "completed"
        case .declinedByPeer(let refusal): "declinedByPeer:\(refusal.code)"
        case .declined(let refusal): "declined:\(refusal.code)"
        case .cancelledByPeer: "cancelledByPeer"
        case .cancelled: "cancelled"
        case .failedByPeer(let failure): "failedByPeer:\(failure.code)"
        case .failed(let failure): "failed:\(failure.code)"
        case .violated(let error): "violated:\(error.code)"
        case .connectionLost: "connectionLost"
        }
    }
}
