/// The limits for messages from the bus, and for the time of answers.
package enum DBusLimits {
    /// The maximum number of bytes of one message.
    static let messageLength = 4 << 20
    /// The maximum number of bytes of messages that wait to be read.
    static let waitingLength = 16 << 20
    /// The maximum number of bytes of a string that is sent.
    static let textLength = 1 << 20
    /// The maximum number of values in one message.
    static let valueCount = 200_000
    /// The maximum depth of nested values.
    static let depth = 32
    /// The maximum number of unread signals of one reader; older ones are dropped.
    static let unreadSignals = 64
    /// The maximum number of calls that wait for an answer.
    static let pendingCalls = 1_000
    /// The time within which a call must be answered if the caller names no other.
    package static let answerTime: Duration = .seconds(10)
}
