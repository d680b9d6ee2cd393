import Logging

/// The log messages of a transfer. They never contain resource names, contents or secrets.
extension TransferLifecycle {
    /// Logs a change of a state machine's state since the last call.
    mutating func noteState(_ state: String) {
        guard state != loggedState else { return }
        logger.debug("state changed", metadata: ["from": "\(loggedState)", "to": "\(state)"])
        loggedState = state
    }

    /// Logs a new deadline, but not one that only moves.
    func logSet(_ deadline: TransferDeadline, after time: Duration, isNew: Bool) {
        if isNew { logger.trace("timer set", metadata: ["timer": "\(deadline)", "time": "\(time)"]) }
    }

    func logStopped(_ deadline: TransferDeadline, isSet: Bool) {
        if isSet { logger.trace("timer stopped", metadata: ["timer": "\(deadline)"]) }
    }

    func logExpired(_ deadline: TransferDeadline) {
        logger.debug("timer expired", metadata: ["timer": "\(deadline)"])
    }

    func logEnd(_ end: ConversationEnd) {
        logger.debug("transfer ended", metadata: ["end": "\(end.logName)"])
    }
}

extension ConversationEnd {
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
