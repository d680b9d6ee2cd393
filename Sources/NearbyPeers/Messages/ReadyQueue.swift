import NIOConcurrencyHelpers
import NIOCore

/// A queue of items for one reader.
final class ReadyQueue<Item: Sendable>: Sendable {
    private struct State {
        var items = CircularBuffer<Item>(initialCapacity: 0)
        /// The reader that waits, and its number.
        var waiting: (number: Int, continuation: CheckedContinuation<Item?, Never>)?
        var lastNumber = 0
        var isFinished = false
    }

    private let maximumCount: Int
    private let box = NIOLockedValueBox(State())

    /// Creates an empty queue.
    ///
    /// - Parameter maximumCount: The maximum number of items that wait. The default is more than the links of a session, and than
    ///   the requests and streams that a few peers may have open.
    init(maximumCount: Int = 1024) {
        self.maximumCount = maximumCount
    }

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

    /// Whether a reader waits.
    var hasReader: Bool { box.withLockedValue { $0.waiting != nil } }

    /// The number of items that wait.
    var count: Int { box.withLockedValue { $0.items.count } }

    /// Returns the next item, waiting for it; nil at the end, or if the task is cancelled.
    func next() async -> Item? {
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

/// The only reader of a queue, as long as it lives.
final class QueueReader<Item: Sendable>: Sendable {
    private let queue: ReadyQueue<Item>
    private let whenGone: @Sendable () -> Void

    /// Creates the reader.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - whenGone: Called when the application has released the reader, so that another one is possible.
    init(_ queue: ReadyQueue<Item>, whenGone: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.whenGone = whenGone
    }

    deinit {
        whenGone()
    }

    /// Returns the next item, waiting for it; nil at the end, or if the task is cancelled.
    func next() async -> Item? { await queue.next() }
}
