import NIOCore
import PeerCore
import PeerProtocol

/// A named sequence of messages between two peers.
///
/// The messages of one peer on one channel are delivered in the order in which they were sent, whatever their types. So a
/// message waits until those before it on its channel are read. It does not wait for messages on other channels.
///
/// A session sends on at most 16 channels to each peer. A message on the 17th channel is not sent: the peer is in
/// ``SendResult/missed``, with `PeerError.Code.invalidArgument`.
///
/// See <doc:SendingMessages> for an example.
public struct MessageChannel: Hashable, Sendable {
    /// The channel for messages without a channel of their own.
    public static let main = MessageChannel(name: .main)

    let name: LinkName

    /// Creates a channel; nil if the name is not valid.
    ///
    /// - Parameter name: 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`, a letter first; the same at both sides.
    public init?(_ name: String) {
        guard let name = LinkName(name) else { return nil }
        self.name = name
    }

    /// Creates a channel, or says why the name is not valid.
    ///
    /// - Parameter name: 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`, a letter first; the same at both sides.
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the name has another form.
    public init(validating name: String) throws(PeerError) { self.name = try .checked(name) }

    private init(name: LinkName) { self.name = name }
}

/// How a message is sent.
///
/// See <doc:SendingMessages> for an example.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum DeliveryMode: Hashable, Sendable {
    /// In order and exactly once, as long as the link lives.
    case reliable
    /// At once or not at all: a newer message with the same key replaces one that was not sent yet, and a message that is older
    /// than `maximumAge` when its turn comes is dropped.
    ///
    /// At most 16 KiB.
    case droppable(key: String = "", maximumAge: Duration = .milliseconds(100))
}
