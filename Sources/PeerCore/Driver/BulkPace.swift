/// Whether enough bytes move that are owed.
///
/// A pure value. A byte now and then is no progress: the time starts anew only when ``leastBytes`` have moved in it.
struct BulkPace: Sendable {
    /// How many bytes must move in the time that the session allows.
    static let leastBytes = 64 * 1024

    /// How many bytes have moved since the time began; nil as long as none are owed.
    private var bytes: Int?

    /// Something moved.
    ///
    /// - Parameters:
    ///   - count: How many bytes that are owed.
    ///   - isOwed: Whether more of them are owed; else the peer has work of its own to do, and every step of it counts.
    /// - Returns: Whether the time starts anew.
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
