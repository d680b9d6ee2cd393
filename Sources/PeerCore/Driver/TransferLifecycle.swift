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
