/// The limits of one link: how much a side keeps for it, and what it allows the other side.
package struct LinkLimits: Hashable, Sendable {
    /// The maximum length of the payload of a message that this side accepts.
    package var maximumMessageLength = 1024 * 1024

    /// How many bytes a stream of bytes may carry before its first credit.
    package var firstWindow = 64 * 1024

    // Enough for 40 MB/s with a round trip of 100 ms.
    /// The maximum window of a stream of bytes.
    package var maximumWindow = 4 * 1024 * 1024

    // Two streams at the maximum window.
    /// The maximum of all windows of streams of bytes together.
    package var windowBudget = 8 * 1024 * 1024

    /// The maximum number of streams that either side may have open.
    package var maximumStreamCount = 256

    /// The maximum number of the other side's streams of bytes that the application has not accepted yet.
    package var maximumWaitingCount = 64

    // Each has a window of its own, with room for a longest message: 16 MiB together.
    /// The maximum number of channels of the other side.
    package var maximumChannelCount = 16

    /// The maximum number of unanswered requests of the other side; 64 at most.
    package var maximumRequestCount = 64

    /// The maximum number of unanswered requests of this side; more wait.
    package var maximumAskedCount = 256

    /// The maximum number of bytes that wait to be sent on one stream of messages; a single message may be longer.
    package var maximumOutboxLength = 1024 * 1024

    /// The maximum number of bytes that wait to be sent on one stream of bytes while the other side has no room for them.
    package var maximumQueueLength = 64 * 1024

    // A writer that continues when the queue is almost empty would be too late to keep the link busy.
    /// The maximum number of bytes that wait to be sent on one stream of bytes while the other side has room for them.
    package var longestQueueLength = 256 * 1024

    /// The maximum memory for records that the other side has not acknowledged.
    package var maximumKeptLength = 1024 * 1024

    /// The maximum memory for droppable messages in each direction.
    package var maximumDroppableLength = 64 * 1024

    /// The maximum number of openings, ends and notices that wait to be sent.
    package var maximumControlCount = 1024

    /// How many streams that this side has cancelled are remembered, because bytes for them may still arrive.
    package var maximumEndedCount = 1024

    /// After how many received or read bytes a credit is sent at once.
    package var creditLength = 64 * 1024

    // Messages that are far apart are acknowledged one by one, those that come together with one credit.
    /// After what time a credit for fewer bytes is sent.
    package var creditDelay: Duration = .milliseconds(20)

    /// How long a link lives without a connection.
    package var reconnectionWindow: Duration = .seconds(30)

    /// The maximum memory for messages that readers have taken and the application has not received yet.
    package static let maximumAheadLength = 64 * 1024

    /// The maximum length of a request, an answer or a refusal on a stream of short ones.
    package static let maximumShortLength = 4096

    // Room for as many requests as may be unanswered, and for one more that is refused or for their withdrawals. So requests that
    // are not read delay no other ones.
    /// How many bytes a stream of short requests may carry before its first credit, in each direction.
    package static let shortRequestWindow = 65 * maximumShortLength

    /// The default limits.
    package static let standard = LinkLimits()

    package init() {}

    /// The window of a stream of messages or of long requests: room for a longest message with its header.
    package var messageWindow: Int { Self.messageWindow(for: maximumMessageLength) }

    static func messageWindow(for maximumMessageLength: Int) -> Int { maximumMessageLength + 1024 }
}
