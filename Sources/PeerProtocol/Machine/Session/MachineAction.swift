/// What a machine says to do about an event.
protocol MachineAction {
    /// Nothing: the event has no meaning now.
    static var none: Self { get }
}

/// What a machine says to do about an event that can end the session.
protocol EndingAction: MachineAction {
    /// End the session.
    static func end(_ end: SessionEnd) -> Self
}

extension ProtocolError {
    /// A frame came that may not come now.
    package static func unexpected(_ type: FrameType) -> ProtocolError {
        ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }
}
