/// How much data may wait for one peer.
///
/// See <doc:SendingMessages> for an example.
public struct BufferLimits: Hashable, Sendable {
    /// The longest message that this side accepts, in bytes of JSON; from 1,024 to 16,777,216.
    public var maximumMessageLength: Int
    /// The maximum number of bytes of messages that wait to be sent on one channel; a single message may be longer.
    public var outboxLength: Int
    /// How long messages to several peers wait, in all, for one of them whose outbox is full, until it reads again.
    ///
    /// After that, such messages do not wait for this peer, and it is among the peers that miss them.
    public var longestStall: Duration
    /// How long messages and invitations that come before their first reader wait for it, from 0 to 1 minute.
    ///
    /// The time begins with the first that comes. After it, those without a reader are discarded, until there is one. Meanwhile, what
    /// comes behind a message on its channel waits, too.
    public var readerPatience: Duration

    /// Creates limits; those that are not given are the default ones.
    ///
    /// - Parameters:
    ///   - maximumMessageLength: The longest message that this side accepts, in bytes of JSON; from 1,024 to 16,777,216.
    ///   - outboxLength: The maximum number of bytes of messages that wait to be sent on one channel.
    ///   - longestStall: How long messages to several peers wait for one of them whose outbox is full.
    ///   - readerPatience: How long messages and invitations wait for their first reader, from 0 to 1 minute.
    public init(
        maximumMessageLength: Int = 1024 * 1024,
        outboxLength: Int = 1024 * 1024,
        longestStall: Duration = .seconds(5),
        readerPatience: Duration = .seconds(10)
    ) {
        self.maximumMessageLength = maximumMessageLength
        self.outboxLength = outboxLength
        self.longestStall = longestStall
        self.readerPatience = readerPatience
    }
}
