/// Whether requested bytes are transferred fast enough.
///
/// A pure value. A byte now and then is no progress: the time limit restarts only after ``leastBytes``.
struct BulkPace: Sendable {
    // As much arrives in a minute even over a bad Wi-Fi. (Docs/Threats.md, "A slow trickle".)
    /// How many bytes must be transferred within the time limit of the transfer.
    static let leastBytes = 64 * 1024

    /// How many bytes were transferred since the time limit restarted; nil while none are requested.
    private var bytes: Int?

    /// Counts a step of the transfer; returns whether the time limit restarts.
    ///
    /// If no requested bytes are owed, the peer is working, and each of its steps counts.
    mutating func moved(_ count: Int, isOwed: Bool) -> Bool {
        guard isOwed else {
            bytes = nil
            return true
        }
        guard let before = bytes else {
            bytes = 0
            return true
        }
        let (moved, isTooMany) = before.addingReportingOverflow(count)
        let isEnough = isTooMany || moved >= Self.leastBytes
        bytes = isEnough ? 0 : moved
        return isEnough
    }
}
