/// The sender's or the receiver's machine of a session, as far as the two are alike: events that end the session.
package protocol SessionStateMachine {
    /// How the session ended; nil while it goes on.
    var end: SessionEnd? { get }

    /// Whether only an event of this side decides how the session ends.
    var isOutcomeLocal: Bool { get }

    /// Ends the session.
    ///
    /// - Parameter end: How it ends.
    /// - Returns: The same.
    mutating func finish(_ end: SessionEnd) -> SessionEnd
}

/// What to do about an event that can end a session.
package enum OnSessionEvent: EndingAction, Equatable, Sendable {
    /// End the session.
    case end(SessionEnd)
    /// Nothing.
    case none
}

extension SessionStateMachine {
    /// A person at the peer's side stopped the session.
    package mutating func receivedCancel(_ cancellation: Cancellation) -> OnSessionEvent {
        endUnlessLocal(.cancelledByPeer(cancellation))
    }

    /// The peer failed.
    package mutating func receivedFailure(_ failure: Failure) -> OnSessionEvent {
        endUnlessLocal(.failedByPeer(failure))
    }

    /// A frame came that this side never receives, or a second handshake.
    package mutating func receivedOther(_ type: FrameType) -> OnSessionEvent {
        endUnlessEnded(.violated(.unexpected(type)))
    }

    /// The received bytes cannot be read, or do not match their digests.
    package mutating func receivedInvalid(_ error: ProtocolError) -> OnSessionEvent {
        endUnlessEnded(.violated(error))
    }

    /// A person at this side stops the session.
    package mutating func cancel(_ cancellation: Cancellation) -> OnSessionEvent {
        endUnlessLocal(.cancelled(cancellation))
    }

    /// Something failed at this side.
    package mutating func fail(_ failure: Failure) -> OnSessionEvent {
        endUnlessEnded(.failed(failure))
    }

    /// The connection ended.
    package mutating func transportClosed() -> OnSessionEvent {
        endUnlessLocal(.connectionLost)
    }

    private mutating func endUnlessLocal(_ end: SessionEnd) -> OnSessionEvent {
        // While the store commits, neither side can stop it any more. The end says what the store has done, not what
        // came meanwhile.
        isOutcomeLocal ? .none : endUnlessEnded(end)
    }

    private mutating func endUnlessEnded(_ end: SessionEnd) -> OnSessionEvent {
        // Both sides may end at once. The first end counts; events that crossed with it come too late.
        self.end == nil ? .end(finish(end)) : .none
    }
}
