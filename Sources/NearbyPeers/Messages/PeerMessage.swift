public import PeerCore

/// A value that is sent to peers as one message, in JSON.
///
/// ```swift
/// struct ChatLine: PeerMessage {
///     static let messageName = "chat.line"
///     var text: String
/// }
/// ```
///
/// A value that is answered is no message, but a ``PeerRequest``.
public protocol PeerMessage: PeerValue {}

/// A message and the peer that sent it.
///
/// See <doc:SendingMessages> for an example.
public struct Received<Message: Sendable>: Sendable {
    /// The message.
    public var message: Message
    /// The peer.
    public var peer: PeerID
}
