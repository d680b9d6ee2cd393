import Synchronization

/// Whether messages for a peer were lost, or may have been, and no call of `flush` has said so yet.
///
/// All links with a peer share it: the first `flush` after a loss tells of it, whenever that is.
final class MessageLoss: Sendable {
    private let isUntold = Atomic(false)

    /// Whether a loss was not told yet.
    var isNoted: Bool { isUntold.load(ordering: .relaxed) }

    /// Notes that messages were lost, or may have been.
    func note() { isUntold.store(true, ordering: .relaxed) }

    /// Returns whether there was a loss, which counts as told from now on.
    func take() -> Bool { isUntold.exchange(false, ordering: .relaxed) }
}
