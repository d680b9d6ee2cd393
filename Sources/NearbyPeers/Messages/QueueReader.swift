/// The only reader of a queue, as long as it lives.
final class QueueReader<Item: Sendable>: Sendable {
    let queue: ReadyQueue<Item>
    private let whenGone: @Sendable () -> Void

    init(_ queue: ReadyQueue<Item>, whenGone: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.whenGone = whenGone
    }

    deinit { whenGone() }

    /// Returns the next item, waiting for it; nil at the end, or if the task is cancelled.
    func next() async -> Item? { await queue.next() }
}
