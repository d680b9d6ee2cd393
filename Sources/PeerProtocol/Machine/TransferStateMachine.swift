/// The sender's or the receiver's machine of a transfer, as far as the two are alike: events that end the transfer.
package protocol TransferStateMachine {
    /// How the transfer ended; nil until then.
    var end: Conversation.End? { get }

    /// Whether only an event of this side decides how the transfer ends.
    var isOutcomeLocal: Bool { get }

    /// Ends the transfer.
    mutating func finish(_ end: Conversation.End) -> Conversation.End
}

/// What to do about an event that can end a transfer.
package enum OnTransferEvent: Equatable, Sendable {
    /// End the transfer.
    case end(Conversation.End)
    /// Nothing.
    case none
}

extension TransferStateMachine {
    /// A person at the peer's side stopped the transfer.
    package mutating func receivedCancel(_ cancellation: Cancellation) -> OnTransferEvent {
        endUnlessLocal(.cancelledByPeer(cancellation))
    }

    /// The peer failed.
    package mutating func receivedFailure(_ failure: Failure) -> OnTransferEvent {
        endUnlessLocal(.failedByPeer(failure))
    }

    /// A frame came that this side never receives, or a second handshake.
    package mutating func receivedOther(_ type: FrameType) -> OnTransferEvent {
        endUnlessEnded(.violated(.unexpected(type)))
    }

    /// The received bytes cannot be read, or do not match their digests.
    package mutating func receivedInvalid(_ error: ProtocolError) -> OnTransferEvent {
        endUnlessEnded(.violated(error))
    }

    /// A person at this side stops the transfer.
    package mutating func cancel(_ cancellation: Cancellation) -> OnTransferEvent {
        endUnlessLocal(.cancelled(cancellation))
    }

    /// Something failed at this side.
    package mutating func fail(_ failure: Failure) -> OnTransferEvent { endUnlessLocal(.failed(failure)) }

    /// The connection ended.
    package mutating func transportClosed() -> OnTransferEvent { endUnlessLocal(.connectionLost) }

    private mutating func endUnlessLocal(_ end: Conversation.End) -> OnTransferEvent {
        // While the store commits, neither side can stop it any more. The end says what the store has done, not what
        // came meanwhile.
        isOutcomeLocal ? .none : endUnlessEnded(end)
    }

    private mutating func endUnlessEnded(_ end: Conversation.End) -> OnTransferEvent {
        // Both sides may end at once. The first end counts; events that crossed with it come too late.
        self.end == nil ? .end(finish(end)) : .none
    }
}
