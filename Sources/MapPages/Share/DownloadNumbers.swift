import Synchronization

/// Counts downloads.
final class DownloadNumbers: Sendable {
    private let last = Atomic(0)

    /// The next number, from 1.
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
