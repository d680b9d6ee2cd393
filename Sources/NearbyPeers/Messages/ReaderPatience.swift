/// Decides what waits for a reader that does not exist yet, and for how long.
///
/// What comes before its first reader waits, so that an application may begin to listen before its tasks read. It waits for a
/// limited time from the first arrival on, because a message holds up those behind it: after that, nothing waits any more until
/// there is a reader. When a reader has gone, nothing waits either: the application has read enough.
///
/// A pure value; the time is passed in.
struct ReaderPatience: Sendable {
    /// What is read.
    enum Subject: Hashable, Sendable {
        /// The messages of a type on a channel.
        case messages(Inboxes.Key)
        /// The invitations of peers.
        case invitations
    }

    /// How far the application is with reading a subject, of which something has arrived or has been read.
    enum Stage: Hashable, Sendable {
        /// There was no reader yet, and what arrives waits. Can become `read` or `unread`.
        case awaited(until: ContinuousClock.Instant)
        /// There is a reader. Can become `unread`.
        case read
        /// There is no reader, and nothing waits for one. Can become `read`.
        case unread
    }

    /// The maximum number of subjects that wait or have waited, so that a peer that invents channels does not fill the memory.
    static let maximumCount = 256

    private let patience: Duration
    private(set) var stages: [Subject: Stage] = [:]
    private var waitedCount = 0
    /// No subject has an earlier end; nil if none waits.
    private var nextEnd: ContinuousClock.Instant?

    init(_ patience: Duration) { self.patience = patience }

    /// Something has arrived; returns whether it has a reader or waits for one.
    mutating func arrived(_ subject: Subject, at now: ContinuousClock.Instant) -> Bool {
        switch stages[subject] {
        case .read: return true
        case .awaited(let until): return now < until
        case .unread: return false
        case nil: break
        }
        guard patience > .zero, waitedCount < Self.maximumCount else { return false }
        waitedCount += 1
        let end = now + patience
        stages[subject] = .awaited(until: end)
        nextEnd = min(nextEnd ?? end, end)
        return true
    }

    /// The application begins to read; returns false if there is a reader already.
    mutating func began(_ subject: Subject) -> Bool {
        guard stages[subject] != .read else { return false }
        stages[subject] = .read
        return true
    }

    /// The reader is gone.
    mutating func ended(_ subject: Subject) { stages[subject] = .unread }

    /// Whether there is a reader.
    func isRead(_ subject: Subject) -> Bool { stages[subject] == .read }

    /// Time has passed; returns the subjects that have waited for long enough, and that are unread from now on.
    mutating func expire(at now: ContinuousClock.Instant) -> [Subject] {
        guard let nextEnd, nextEnd <= now else { return [] }
        var (expired, next): ([Subject], ContinuousClock.Instant?) = ([], nil)
        for case (let subject, .awaited(let until)) in stages {
            if until <= now { expired.append(subject) } else { next = min(next ?? until, until) }
        }
        for subject in expired { stages[subject] = .unread }
        self.nextEnd = next
        return expired
    }
}
