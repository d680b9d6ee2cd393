import NIOConcurrencyHelpers

/// What a change means for a reader that has not read earlier changes of the same thing.
package enum ChangeKind: Sendable {
    /// The thing has appeared.
    case found
    /// The thing is another one now.
    case changed
    /// The thing is gone.
    case lost
    /// No thing: a word, of which only the last counts.
    case word
}

/// What the events of a search are about.
package enum SearchSubject<Key: Hashable & Sendable>: Hashable, Sendable {
    /// A thing that is found and lost.
    case thing(Key)
    /// The things that were known at the start.
    case start
    /// The search.
    case search
}

/// A change of which a reader needs the newest state only.
package protocol LatestChange: Sendable {
    /// Identifies things, and words.
    associatedtype Subject: Hashable, Sendable

    /// What has changed.
    var subject: Subject { get }
    /// What has happened to it.
    var kind: ChangeKind { get }
    /// The same state of the thing, for a reader that has not heard of the thing before.
    var asFound: Self { get }
}

/// Changes for one reader, which takes as long as it likes.
///
/// Changes that were not read and do not count any more are dropped: a thing that has come and gone meanwhile is never read, and
/// of one that has changed, only its last state is. So at most two changes wait for each thing that is there, or that the reader
/// believes to be there, however fast things come and go.
package final class LatestChanges<Change: LatestChange>: Sendable {
    // A lock that the thread sanitizer knows.
    private let state = NIOLockedValueBox(WaitingChanges<Change>())

    /// Creates an empty queue.
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

    /// Ends the changes; those that wait can still be read.
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

    /// Returns the changes as a stream.
    ///
    /// - Parameter ended: Called when the stream is released; the changes are not needed any more.
    /// - Returns: The stream.
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
    /// The changes of each subject that wait, and where it stands in the order.
    var waiting: [Change.Subject: (number: UInt64, changes: [Change])] = [:]
    /// Subjects in the order in which they began to wait; those whose number is another one do not count.
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
        // A word comes after everything that was said before it.
        if let before, change.kind != .word {
            waiting[subject] = (before.number, changes)
        } else {
            lastNumber += 1
            waiting[subject] = (lastNumber, changes)
            order.append((subject, lastNumber))
            compact()
        }
    }

    /// The changes of one thing that are left to read.
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

    /// Keeps the order about as long as the list of what waits.
    private mutating func compact() {
        guard order.count > 2 * waiting.count + 64 else { return }
        order = order[start...].filter { waiting[$0.subject]?.number == $0.number }
        start = 0
    }
}
