/// What is accepted from the bus, and how long answers may take.
package enum DBusLimits {
    /// The most bytes of one message.
    static let messageLength = 4 << 20
    /// The most bytes of messages that wait to be read.
    static let waitingLength = 16 << 20
    /// The most bytes of one string that is sent.
    static let textLength = 1 << 20
    /// The most values in one message.
    static let valueCount = 200_000
    /// How deep values may be nested.
    static let depth = 32
    /// The signals that one reader may leave unread; older ones are dropped.
    static let unreadSignals = 64
    /// The most calls that wait for an answer.
    static let pendingCalls = 1_000
    /// The time within which a call must be answered if the caller names no other.
    package static let answerTime: Duration = .seconds(10)
}
