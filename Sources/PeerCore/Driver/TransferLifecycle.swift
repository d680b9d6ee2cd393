import Logging
import NIOCore

/// What both sides of a transfer share after the conversation: the connection, deadlines, the pace of data.
///
/// A value inside the actor that drives a transfer; it sends, but never waits.
struct TransferLifecycle {
    let configuration: ConnectionConfiguration
    let connection: FrameConnection
    var logger: Logger
    /// The state of the role's machine that was logged last.
    var loggedState = "new"
    /// Whether the reader is processing a piece.
    ///
    /// The peer may be silent then, because it waits for this side.
    var isBusy = false
    /// How many bytes the peer may have to read from its disk before it answers.
    var workByteCount: UInt64 = 0
    private var lastBusy: ContinuousClock.Instant
    private var bulkPace = BulkPace()
    private var deadlines = TransferDeadlines()

    init(configuration: ConnectionConfiguration, connection: FrameConnection, logger: Logger) {
        self.configuration = configuration
        self.connection = connection
        self.logger = logger
        self.logger[metadataKey: "address"] = "\(connection.remoteAddress)"
        connection.activity.frames.begin(self.logger)
        self.lastBusy = .now
    }

    mutating func arm(_ deadline: TransferDeadline, after duration: Duration) {
        let isNew = deadlines.set(deadline, to: .now.advanced(by: duration))
        logSet(deadline, after: duration, isNew: isNew)
    }

    mutating func disarm(_ deadline: TransferDeadline) {
        let isSet = deadlines.clear(deadline)
        logStopped(deadline, isSet: isSet)
    }

    func send(_ frame: Frame) {
        connection.send(.frame(frame))
    }

    /// Restarts the time limit after a step of the transfer.
    ///
    /// - Parameters:
    ///   - isBulk: Whether bytes are awaited; if not, the peer has work to do on its own disk.
    ///   - bytes: How many bytes were transferred; a few are no progress.
    mutating func progressed(isBulk: Bool, bytes: Int = 0) {
        guard bulkPace.moved(bytes, isOwed: isBulk) else { return }
        arm(.progress, after: isBulk ? configuration.stallTimeout : configuration.workTimeout(forBytes: workByteCount))
    }

    /// Returns the deadline that has passed; nil if none has.
    mutating func tick(at now: ContinuousClock.Instant) -> TransferDeadline? {
        // While this side processes a piece, it reads nothing, so an incomplete frame says nothing of the peer.
        if isBusy { lastBusy = now }
        if let since = connection.activity.unfinishedSince, now - max(since, lastBusy) >= configuration.stallTimeout {
            return .progress
        }
        guard let expired = deadlines.expired(at: now) else { return nil }
        // The reader is processing a piece: the peer waits for this side.
        guard expired != .progress || !isBusy else {
            bulkPace = BulkPace()
            progressed(isBulk: true)
            return nil
        }
        deadlines.clear(expired)
        logExpired(expired)
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

/// An event of a transfer that must happen in time.
///
/// How long each may take is in ``ConnectionConfiguration``. What comes before a transfer is in
/// ``ConversationDeadline``.
enum TransferDeadline: Hashable {
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

/// The timers of a transfer: which events are awaited, and until when.
///
/// A pure value; the time is passed in.
struct TransferDeadlines {
    private var times: [TransferDeadline: ContinuousClock.Instant] = [:]

    /// Starts a timer, or restarts it.
    ///
    /// - Returns: Whether it was not running.
    mutating func set(_ deadline: TransferDeadline, to time: ContinuousClock.Instant) -> Bool {
        times.updateValue(time, forKey: deadline) == nil
    }

    /// Stops a timer.
    ///
    /// - Returns: Whether it was running.
    @discardableResult
    mutating func clear(_ deadline: TransferDeadline) -> Bool {
        times.removeValue(forKey: deadline) != nil
    }

    /// The timer that has expired first; nil if none has.
    func expired(at now: ContinuousClock.Instant) -> TransferDeadline? {
        times.filter { $0.value <= now }.min { $0.value < $1.value }?.key
    }
}

/// Whether requested bytes are transferred fast enough.
///
/// A pure value. A byte now and then is no progress: the time limit restarts only after ``leastBytes``.
struct BulkPace: Sendable {
    // As much arrives in a minute even over a bad Wi-Fi. (Docs/Threats.md, "A slow trickle".)
    /// How many bytes must be transferred within the time limit of the transfer.
    static let leastBytes = 64 * 1024

    /// How many bytes were transferred since the time limit restarted; nil while none are requested.
    private var bytes: Int?

    /// Counts a step of the transfer.
    ///
    /// - Parameters:
    ///   - count: How many requested bytes were transferred.
    ///   - isOwed: Whether more requested bytes are missing; if not, the peer is working, and each of its steps counts.
    /// - Returns: Whether the time limit restarts.
    mutating func moved(_ count: Int, isOwed: Bool) -> Bool {
        guard isOwed else {
            bytes = nil
            return true
        }
        guard let before = bytes else {
            bytes = 0
            return true
        }
        let (moved, isTooMany) = before.addingReportingOverflow(count)
        let isEnough = isTooMany || moved >= Self.leastBytes
        bytes = isEnough ? 0 : moved
        return isEnough
    }
}

/// How far a transfer is, and when that is to be reported.
///
/// A pure value; the time is passed in.
struct ProgressReports: Sendable {
    // Over a fast network, hundreds of pieces arrive in a second: too many to report each.
    /// The least time between two reports.
    private static let interval: Duration = .milliseconds(100)

    var meter = ProgressMeter()
    private var last: ContinuousClock.Instant?

    /// The progress if the last report was a while ago; nil if not, or before the first resource.
    mutating func dueReport(at now: ContinuousClock.Instant) -> TransferProgress? {
        if let last, now - last < Self.interval { return nil }
        return report(at: now)
    }

    /// The progress now; nil before the first resource.
    mutating func report(at now: ContinuousClock.Instant) -> TransferProgress? {
        guard let progress = meter.progress(at: now) else { return nil }
        last = now
        return progress
    }
}
