/// The bounds of one link: what a side keeps for it, and what it allows the other side.
package struct LinkLimits: Hashable, Sendable {
    /// The longest message that this side takes, its payload, in bytes.
    package var maximumMessageLength = 1024 * 1024

    /// What a stream of requests or of bytes may carry before its first credit.
    package var firstWindow = 64 * 1024

    /// The largest window that a stream of bytes grows to.
    package var maximumWindow = 4 * 1024 * 1024

    /// All windows of streams of requests and of bytes together.
    package var windowBudget = 9 * 1024 * 1024

    /// The most streams that either side may have open.
    package var maximumStreamCount = 256

    /// The most streams of the other side that the application has not accepted yet; channels are not refused for it.
    package var maximumWaitingCount = 64

    /// The most channels of the other side.
    package var maximumChannelCount = 16

    /// The most requests of the other side at once.
    package var maximumRequestCount = 64

    /// The most bytes of messages that wait to be sent on one stream; a single message may be longer.
    package var maximumOutboxLength = 1024 * 1024

    /// The most bytes that wait to be sent on one stream of bytes.
    package var maximumQueueLength = 64 * 1024

    /// The most memory for records that the other side has not acknowledged.
    package var maximumKeptLength = 1024 * 1024

    /// The most memory for droppable messages in each direction.
    package var maximumDroppableLength = 64 * 1024

    /// The most openings, ends and notices that wait to be sent.
    package var maximumControlCount = 1024

    /// How many streams that were given up here are remembered, because bytes of them may still come.
    package var maximumEndedCount = 1024

    /// How much may be received or read before the other side hears of it at once.
    package var creditLength = 64 * 1024

    /// How long the other side waits to hear of less.
    package var creditDelay: Duration = .milliseconds(20)

    /// How long a link lives without a connection.
    package var reconnectionWindow: Duration = .seconds(30)

    /// The most memory for messages that readers have taken and the application has not: a reader takes several at once.
    package static let maximumAheadLength = 64 * 1024

    /// The most messages that a reader takes at once.
    static let maximumAheadCount = 128

    /// The default limits.
    package static let standard = LinkLimits()

    /// Creates the default limits.
    package init() {}

    /// What a stream of messages may carry beyond what was read: a message of the greatest length, and then some.
    package var messageWindow: Int { Self.messageWindow(for: maximumMessageLength) }

    /// The part of the budget that only requests and answers longer than the first window use, so that one of the
    /// greatest length always finds room.
    var reserveForLongMessages: Int { messageWindow }

    static func messageWindow(for maximumMessageLength: Int) -> Int { maximumMessageLength + 1024 }
}
