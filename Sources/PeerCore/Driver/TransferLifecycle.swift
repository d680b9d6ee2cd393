import Logging

/// What both sides of a transfer share after the conversation: the connection, deadlines, the pace of data.
///
/// A value inside the actor that drives a transfer; it sends, but never waits.
struct TransferLifecycle {
    let configuration: ConnectionConfiguration
    let connection: FrameConnection
    var logger: Logger
    /// The state of the role's machine that was logged last.
    var loggedState = "new"
    /// Whether the reader is processing an input; the peer may be silent then, because it waits for this side.
    var isBusy = false
    /// How many bytes the peer may have to read from its disk before it answers.
    var workByteCount: UInt64 = 0
    private var lastBusy: ContinuousClock.Instant
    private var bulkPace = BulkPace()
    /// The events that are awaited, and until when.
    private var deadlines: [Deadline: ContinuousClock.Instant] = [:]

    init(configuration: ConnectionConfiguration, connection: FrameConnection, logger: Logger) {
        self.configuration = configuration
        self.connection = connection
        self.logger = logger
        self.logger[metadataKey: "address"] = "\(connection.remoteAddress)"
        connection.activity.frames.begin(self.logger)
        self.lastBusy = .now
    }

    mutating func arm(_ deadline: Deadline, after duration: Duration) {
        // A deadline that only moves is not logged.
        guard deadlines.updateValue(.now + duration, forKey: deadline) == nil else { return }
        logger.trace("timer set", metadata: ["timer": "\(deadline)", "time": "\(duration)"])
    }

    mutating func disarm(_ deadline: Deadline) {
        guard deadlines.removeValue(forKey: deadline) != nil else { return }
        logger.trace("timer stopped", metadata: ["timer": "\(deadline)"])
    }

    func send(_ frame: Frame) { connection.send(.frame(frame)) }

    /// Restarts the time limit after a step.
    ///
    /// If no bulk bytes are awaited, the peer works on its own disk, and each step counts; otherwise a few bytes are no progress.
    mutating func progressed(isBulk: Bool, bytes: Int = 0) {
        guard bulkPace.moved(bytes, isOwed: isBulk) else { return }
        arm(.progress, after: isBulk ? configuration.stallTimeout : configuration.workTimeout(forBytes: workByteCount))
    }

    /// Returns the deadline that has passed; nil if none has.
    mutating func tick(at now: ContinuousClock.Instant) -> Deadline? {
        // While this side processes an input, it reads nothing, so an incomplete frame says nothing of the peer.
        if isBusy { lastBusy = now }
        if let since = connection.activity.unfinishedSince, now - max(since, lastBusy) >= configuration.stallTimeout {
            return .progress
        }
        let passed = deadlines.filter { $0.value <= now }
        guard let expired = passed.min(by: { $0.value < $1.value })?.key else { return nil }
        // The reader is processing an input: the peer waits for this side.
        guard expired != .progress || !isBusy else {
            bulkPace = BulkPace()
            progressed(isBulk: true)
            return nil
        }
        deadlines[expired] = nil
        logger.debug("timer expired", metadata: ["timer": "\(expired)"])
        return expired
    }
}

/// The log messages of a transfer. They never contain resource names, contents or secrets.
extension TransferLifecycle {
    /// Logs a change of a state machine's state since the last call.
    mutating func noteState(_ state: String) {
        guard state != loggedState else { return }
        logger.debug("state changed", metadata: ["from": "\(loggedState)", "to": "\(state)"])
        loggedState = state
    }

    func logEnd(_ end: Conversation.End) {
        logger.debug("transfer ended", metadata: ["end": "\(end.logName)"])
    }
}

extension Conversation.End {
    /// The kind of end; the messages of both sides stay out of logs.
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

extension TransferLifecycle {
    /// An event of a transfer that must happen in time.
    ///
    /// How long each may take is in ``ConnectionConfiguration``. What comes before a transfer is in ``Conversation/Deadline``.
    enum Deadline: Hashable {
        /// The manifest arrives.
        case manifest
        /// The offer is compared with what is present; later, the person learns that this takes longer.
        case comparison
        /// The same; later, the offer is shown with what is known.
        case survey
        /// The person answers the offer.
        case offer
        /// The transfer makes progress.
        case progress
    }
}
