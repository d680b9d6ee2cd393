/// What a companion of a sender gives to others, as far as it decides when the sender ends.
package struct CompanionActivity: Hashable, Sendable {
    /// The number of transfers that run.
    package var openCount = 0
    /// Whether a transfer was complete.
    package var hasSent = false

    package init(openCount: Int = 0, hasSent: Bool = false) { (self.openCount, self.hasSent) = (openCount, hasSent) }
}
