/// An event of a transfer that must happen in time.
///
/// How long each may take is in ``ConnectionConfiguration``. What comes before a transfer is in
/// ``ConversationDeadline``.
enum TransferDeadline: Hashable {
    /// The manifest arrives.
    case manifest
    /// The offer is compared with what is here; later, the person learns that this takes longer.
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
