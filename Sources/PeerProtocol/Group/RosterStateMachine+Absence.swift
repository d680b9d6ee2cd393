/// Members that are not connected: when they are tried again, and when they are forgotten.
extension RosterStateMachine {
    /// Since when a member is not connected, and what is done about it.
    struct Absence: Hashable, Sendable {
        let since: ContinuousClock.Instant
        /// When to try to make a link again; nil while an attempt runs, or before that is decided.
        var nextAttempt: ContinuousClock.Instant?
    }

    /// What prevents a link with a member.
    package enum Obstacle: Hashable, Sendable {
        /// Nothing: the last attempt has failed, or there was none.
        case none
        /// One side has declined the link.
        case hasDeclined
        /// One side has left, or another program runs there: the member is not tried again.
        case isFinal
        /// An attempt is in progress, or the application has disconnected the member.
        case isBusy
    }

    /// How long absent members are waited for.
    package struct Patience: Hashable, Sendable {
        /// How long a member that no member is connected with stays a member.
        package var absence: Duration
        /// The pause before a member is tried again.
        package var pause: Duration
        /// The same after one side has declined the link; a person may have changed their mind.
        package var pauseAfterDecline: Duration = .seconds(60)

        package init(absence: Duration, pause: Duration) {
            self.absence = absence
            self.pause = pause
        }
    }

    /// Tries absent members again, and forgets those with which no other member is connected.
    ///
    /// - `obstacle`: What prevents a link with a member.
    package mutating func lookAtAbsent(
        at now: ContinuousClock.Instant,
        patience: Patience,
        obstacle: (PeerID) -> Obstacle
    ) -> [Action] {
        var actions: [Action] = []
        for id in absences.keys.sorted(by: { $0.precedes($1) }) {
            guard let absence = absences[id] else { continue }
            if now - absence.since >= patience.absence, !isVouchedFor(id) {
                forget(id, at: now)
                actions.append(.forget(id))
                continue
            }
            let reason = obstacle(id)
            guard reason == .none || reason == .hasDeclined else { continue }
            guard let next = absence.nextAttempt else {
                absences[id]?.nextAttempt = now + (reason == .none ? patience.pause : patience.pauseAfterDecline)
                continue
            }
            guard now >= next else { continue }
            absences[id]?.nextAttempt = nil
            actions.append(.introduce(id))
        }
        return actions
    }
}
