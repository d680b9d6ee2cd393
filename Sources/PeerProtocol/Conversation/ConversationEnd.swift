/// How a conversation ended, or the transfer that followed it.
package enum ConversationEnd: Equatable, Sendable {
    /// The receiver has committed everything and the sender knows.
    case completed(Acknowledgement)
    /// The other side said no.
    case declinedByPeer(Refusal)
    /// This side said no.
    case declined(Refusal)
    /// A person at the other side stopped it.
    case cancelledByPeer(Cancellation)
    /// A person at this side stopped it.
    case cancelled(Cancellation)
    /// The other side failed.
    case failedByPeer(Failure)
    /// This side failed.
    case failed(Failure)
    /// The peer broke the protocol.
    case violated(ProtocolError)
    /// The connection ended before the transfer did.
    case connectionLost
}

/// What a machine says to do about an event.
protocol MachineAction {
    /// Nothing: the event has no meaning now.
    static var none: Self { get }
}

/// What a machine says to do about an event that can end the connection.
protocol EndingAction: MachineAction {
    /// End the conversation.
    static func end(_ end: ConversationEnd) -> Self
}

extension ProtocolError {
    /// A frame came that may not come now.
    package static func unexpected(_ type: FrameType) -> ProtocolError {
        ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }
}
