import NIOConcurrencyHelpers

/// A queue of changes for one reader, which may be slow.
///
/// Outdated changes are dropped: the reader never sees a thing that has come and gone in the meantime, and of a thing
/// that has changed several times it sees only the last state. So at most two changes wait for each thing that exists,
/// or that the reader believes to exist, however fast things come and go.
package final class LatestChanges<Change: LatestChange>: Sendable {
    // Not a Mutex, which the thread sanitizer does not know.
    private let state = NIOLockedValueBox(WaitingChanges<Change>())

    package init() {}

    /// The number of changes that wait.
    package var count: Int { state.withLockedValue { $0.waiting.values.reduce(0) { $0 + $1.changes.count } } }

    /// Adds a change.
    package func add(_ change: Change) {
        let reader = state.withLockedValue { state -> (CheckedContinuation<Change?, Never>, Change)? in
            guard !state.isFinished else { return nil }
            state.add(change)
            guard let reader = state.reader, let next = state.next() else { return nil }
            state.reader = nil
            return (reader, next)
        }
        if let (reader, next) = reader { reader.resume(returning: next) }
    }

    /// Ends the queue; changes that wait can still be read.
    package func finish() {
        let reader = state.withLockedValue { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    /// Returns the next change, waiting for it; nil at the end, or if the task is cancelled.
    ///
    /// There is one reader.
    package func next() async -> Change? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isDone, change) = state.withLockedValue { state -> (Bool, Change?) in
                    if let change = state.next() { return (true, change) }
                    // Read with the lock held: a task that is cancelled later finds its continuation.
                    guard !state.isFinished, !Task.isCancelled, state.reader == nil else { return (true, nil) }
                    state.reader = continuation
                    return (false, nil)
                }
                if isDone { continuation.resume(returning: change) }
            }
        } onCancel: {
            state.withLockedValue { $0.reader.take() }?.resume(returning: nil)
        }
    }

    /// Returns the changes as a stream; `ended` is called when it is released.
    package func stream(ended: @escaping @Sendable () -> Void = {}) -> AsyncStream<Change> {
        let reader = Reader(changes: self, ended: ended)
        return AsyncStream(unfolding: { await reader.changes.next() })
    }

    /// Lives as long as the stream.
    private final class Reader: Sendable {
        let changes: LatestChanges
        let ended: @Sendable () -> Void

        init(changes: LatestChanges, ended: @escaping @Sendable () -> Void) {
            (self.changes, self.ended) = (changes, ended)
        }

        deinit { ended() }
    }
}

/// The changes that a reader has not taken, and the reader if it waits.
private struct WaitingChanges<Change: LatestChange> {
    /// The waiting changes of each subject, and its position in the order.
    var waiting: [Change.Subject: (number: UInt64, changes: [Change])] = [:]
    /// Subjects in the order in which they began to wait; an entry is outdated if its number is not that of the subject.
    var order: [(subject: Change.Subject, number: UInt64)] = []
    var start = 0
    var lastNumber: UInt64 = 0
    var reader: CheckedContinuation<Change?, Never>?
    var isFinished = false

    mutating func add(_ change: Change) {
        let subject = change.subject
        let before = waiting[subject]
        let changes = Self.merged(before?.changes ?? [], change)
        guard !changes.isEmpty else {
            waiting[subject] = nil
            return compact()
        }
        // A message follows all earlier changes, so that "all for now" never overtakes a service.
        if let before, change.kind != .word {
            waiting[subject] = (before.number, changes)
        } else {
            lastNumber += 1
            waiting[subject] = (lastNumber, changes)
            order.append((subject, lastNumber))
            compact()
        }
    }

    /// Returns the changes of one subject that remain to be read.
    private static func merged(_ waiting: [Change], _ change: Change) -> [Change] {
        guard let last = waiting.last else { return [change] }
        let earlier = Array(waiting.dropLast())
        return switch (last.kind, change.kind) {
        case (_, .word): [change]
        case (.lost, .lost): waiting
        case (.found, .lost): earlier
        case (.found, _): earlier + [change.asFound]
        case (.changed, _): earlier + [change]
        case (.lost, _), (.word, _): waiting + [change]
        }
    }

    mutating func next() -> Change? {
        while start < order.count {
            let (subject, number) = order[start]
            guard let entry = waiting[subject], entry.number == number, let change = entry.changes.first else {
                start += 1
                continue
            }
            let rest = Array(entry.changes.dropFirst())
            if rest.isEmpty {
                start += 1
                waiting[subject] = nil
            } else {
                waiting[subject] = (number, rest)
            }
            compact()
            return change
        }
        return nil
    }

    /// Removes outdated entries when they are more than half of the order, so that removing them costs little on average.
    private mutating func compact() {
        guard order.count > 2 * waiting.count + 64 else { return }
        order = order[start...].filter { waiting[$0.subject]?.number == $0.number }
        start = 0
    }
}
