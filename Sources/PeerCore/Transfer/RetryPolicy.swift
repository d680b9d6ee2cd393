/// Decides whether a receiver tries a failed transfer again, and when. (Design, "Timers".)
///
/// A policy is a plain value: it starts no timer and reads no clock.
package struct RetryPolicy: Hashable, Sendable {
    /// The time between a failure and the next attempt.
    package static let delay: Duration = .seconds(5)

    /// The maximum number of attempts before an offer is accepted.
    private static let fewAttempts = 2

    /// How many attempts in a row have brought no data.
    package private(set) var attempts = 0

    package init() {}

    /// Counts a failure; returns whether there is another attempt.
    ///
    /// The count restarts when an attempt brought data, so that a slow transfer continues and a dead one ends. Without a network of
    /// its own, a machine has not tried anything.
    package mutating func triesAgain(
        atMost limit: Int,
        storedBefore before: UInt64,
        storedNow now: UInt64,
        isOffline: Bool = false
    ) -> Bool {
        if now > before { attempts = 0 }
        if isOffline, limit > 0 { return true }
        guard attempts < limit else { return false }
        attempts += 1
        return true
    }

    /// Returns the maximum number of attempts after an error; 0 if trying again cannot help.
    ///
    /// Before an offer is accepted there is nothing to resume. But a sender that was discovered may have restarted, and
    /// discovery reports its former address for some seconds. And one whose packets get lost is there.
    package static func maximumAttempts(
        after error: any Error,
        wasDiscovered: Bool,
        hasAgreed: Bool,
        _ retries: Int
    ) -> Int {
        guard let error = error as? PeerError else { return 0 }
        if hasAgreed { return [.connectionLost, .cannotConnect, .timedOut].contains(error.code) ? retries : 0 }
        guard wasDiscovered && error.code == .cannotConnect || isLostOnTheWay(error) else { return 0 }
        return min(retries, fewAttempts)
    }

    /// Whether the sender has accepted the connection, and what follows of itself, without a person, was too slow.
    ///
    /// On a lossy Wi-Fi, the next attempt may do better.
    package static func isLostOnTheWay(_ error: any Error) -> Bool {
        guard let error = error as? PeerError else { return false }
        if error.code == .timedOut, let unanswered = error.cause as? UnansweredConnection {
            return unanswered.outcomes.contains { $0.outcome == .speechless }
        }
        return [.deadline(.greeting), .deadline(.settingUp), .deadline(.pairing)].contains(error)
    }

    /// Returns how long to wait before the next attempt; nil if the time to find a sender has passed.
    package static func patience(
        hasAgreed: Bool,
        until deadline: ContinuousClock.Instant,
        at now: ContinuousClock.Instant,
        atMost delay: Duration = Self.delay
    ) -> Duration? {
        if hasAgreed { return delay }
        return now < deadline ? min(delay, deadline - now) : nil
    }

    /// Returns the error to report when there is no further attempt.
    ///
    /// If the sender answered before and does not any more, the connection is lost; the sender is not unknown.
    package static func conclusion(_ error: any Error, hasAgreed: Bool) -> any Error {
        guard hasAgreed, let error = error as? PeerError, error.code == .cannotConnect else { return error }
        return PeerError(
            .connectionLost,
            "The connection to the other side was lost. \(error.message)",
            remedy: error.remedy,
            cause: error.cause
        )
    }
}
