/// An event of a session that must happen in time.
///
/// How long each may take is in ``SessionConfiguration``.
enum SessionDeadline: Hashable {
    /// The connection is encrypted, or both sides agree on plain text.
    case securing
    /// The peer has sent its hello.
    case handshake
    /// The sender answers the invitation.
    case invitation
    /// The manifest arrives.
    case manifest
    /// The peer sends the next frame of the pairing.
    case pairing
    /// The offer is compared with what is here; later, the person learns that this takes longer.
    case comparison
    /// The same; later, the offer is shown with what is known.
    case survey
    /// The person answers the offer.
    case offer
    /// The transfer makes progress.
    case progress
    /// The peer closes the connection after the last frame.
    case linger
}

/// The timers of a session: which events are awaited, and until when.
///
/// A pure value; the time is passed in.
struct SessionDeadlines {
    private var times: [SessionDeadline: ContinuousClock.Instant] = [:]

    /// Starts a timer, or restarts it.
    ///
    /// - Returns: Whether it was not running.
    mutating func set(_ deadline: SessionDeadline, to time: ContinuousClock.Instant) -> Bool {
        times.updateValue(time, forKey: deadline) == nil
    }

    /// Stops a timer.
    ///
    /// - Returns: Whether it was running.
    @discardableResult
    mutating func clear(_ deadline: SessionDeadline) -> Bool {
        times.removeValue(forKey: deadline) != nil
    }

    /// The timer that has expired first; nil if none has.
    func expired(at now: ContinuousClock.Instant) -> SessionDeadline? {
        times.filter { $0.value <= now }.min { $0.value < $1.value }?.key
    }
}
