import NIOConcurrencyHelpers
import NIOCore
import PeerCore

/// A queue of items for one reader.
final class ReadyQueue<Item: Sendable>: Sendable {
    private struct State {
        var items = CircularBuffer<Item>(initialCapacity: 0)
        /// The reader that waits, and its number.
        var waiting: (number: Int, continuation: CheckedContinuation<Item?, Never>)?
        var lastNumber = 0
        var isFinished = false
        var isRead = false
    }

    private let maximumCount: Int
    private let box = NIOLockedValueBox(State())

    /// Creates an empty queue; the default limit is higher than the number of links, requests and streams of a few peers.
    init(maximumCount: Int = 1024) { self.maximumCount = maximumCount }

    /// Adds an item; returns false if reading has ended, or if too many items wait.
    @discardableResult
    func add(_ item: Item) -> Bool {
        let (reader, isTaken) = box.withLockedValue { state -> (CheckedContinuation<Item?, Never>?, Bool) in
            guard !state.isFinished else { return (nil, false) }
            if let reader = state.waiting {
                state.waiting = nil
                return (reader.continuation, true)
            }
            guard state.items.count < maximumCount else { return (nil, false) }
            state.items.append(item)
            return (nil, true)
        }
        reader?.resume(returning: item)
        return isTaken
    }

    /// Removes the items for which a condition holds.
    func removeAll(where condition: (Item) -> Bool) {
        // Removed items are released after the lock, because their deinitialisers may run code.
        let removed = box.withLockedValue { state in
            let removed = state.items.filter(condition)
            if !removed.isEmpty { state.items.removeAll(where: condition) }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Takes all items that wait.
    func takeAll() -> CircularBuffer<Item> {
        box.withLockedValue { state in
            defer { state.items = CircularBuffer(initialCapacity: 0) }
            return state.items
        }
    }

    /// Whether the queue has a ``QueueReader``.
    var isRead: Bool { box.withLockedValue { $0.isRead } }

    /// Returns the only reader of the queue; when it is released, items wait for the next one, unless `whenGone` removes them.
    func read(_ what: String, whenGone: @escaping @Sendable () -> Void = {}) throws(PeerError) -> QueueReader<Item> {
        let wasRead = box.withLockedValue { state in
            defer { state.isRead = true }
            return state.isRead
        }
        guard !wasRead else { throw .readTwice("Another reader already reads \(what).") }
        return QueueReader(self) { [self] in
            box.withLockedValue { $0.isRead = false }
            whenGone()
        }
    }

    /// Whether a reader waits.
    var hasReader: Bool { box.withLockedValue { $0.waiting != nil } }

    /// The number of items that wait.
    var count: Int { box.withLockedValue { $0.items.count } }

    /// Returns the next item, waiting for it; nil at the end, or if the task is cancelled.
    func next() async -> Item? {
        // Often several wait.
        if let item = box.withLockedValue({ $0.items.popFirst() }) { return item }
        let number = box.withLockedValue { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isDone, item) = box.withLockedValue { state -> (Bool, Item?) in
                    if let item = state.items.popFirst() { return (true, item) }
                    // A second reader at the same time gets nil. The cancellation is read with the lock held, so a task that is
                    // cancelled later finds its continuation.
                    guard !state.isFinished, !Task.isCancelled, state.waiting == nil else { return (true, nil) }
                    state.waiting = (number, continuation)
                    return (false, nil)
                }
                if isDone { continuation.resume(returning: item) }
            }
        } onCancel: {
            takeReader { $0 == number }?.resume(returning: nil)
        }
    }

    /// Ends the queue; waiting items are still delivered.
    func finish() {
        box.withLockedValue { $0.isFinished = true }
        takeReader { _ in true }?.resume(returning: nil)
    }

    private func takeReader(where condition: (Int) -> Bool) -> CheckedContinuation<Item?, Never>? {
        box.withLockedValue { state in
            guard let reader = state.waiting, condition(reader.number) else { return nil }
            state.waiting = nil
            return reader.continuation
        }
    }
}
