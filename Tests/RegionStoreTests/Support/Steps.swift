import Synchronization

/// The progress that a test was told.
final class Steps: Sendable {
    private let steps = Mutex<[(Int64, Int64)]>([])

    var all: [(Int64, Int64)] { steps.withLock { $0 } }

    func add(_ done: Int64, _ total: Int64) {
        steps.withLock { $0.append((done, total)) }
    }
}
