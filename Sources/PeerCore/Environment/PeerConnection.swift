package import PeerProtocol

/// An encrypted connection to a peer, over which frames go.
package protocol PeerConnection: ConversationConnection {
    /// Receives events, one at a time and in order, until the connection is closed; closes it when the task is cancelled.
    ///
    /// Called once. The preface is sent as soon as the connection is open.
    func run(_ handle: @escaping @Sendable (PeerConnectionEvent) async -> Void) async

    /// Sends a ping and waits for its pong; nil if the connection was closed before.
    func roundTrip() async -> Duration?

    /// Hands the connection over while an event is handled; what comes next does not come here any more.
    func handOver(_ handover: ConnectionHandover)

    /// Passes the frames of a link that arrive together to `take`, as soon as all earlier events are handled.
    ///
    /// It takes all of them or none; those that it does not take are events. A connection that does not do this passes events only.
    func passLinkFrames(to take: @escaping @Sendable ([Frame]) -> Bool)
}

extension PeerConnection {
    /// Every frame is an event.
    package func passLinkFrames(to take: @escaping @Sendable ([Frame]) -> Bool) {}

    /// Closes the connection, because nothing receives it.
    package func handOver(_ handover: ConnectionHandover) { abort() }
}

/// What happens on a connection.
package enum PeerConnectionEvent: Sendable {
    /// The peer has proved its id; the first event of every connection that is not refused before.
    ///
    /// The certificate is in DER form.
    case opened(PeerID, certificate: [UInt8])
    /// A frame has come; pings and pongs are handled below.
    case frame(Frame)
    /// The bytes that came are not of this protocol; no frame follows.
    case invalid(ProtocolError)
    /// The peer does not encrypt, and has to be told this; no frame follows.
    case encryptionMismatch(Failure)
}

/// What becomes of a connection that a session has accepted, and that carries no link.
package enum ConnectionHandover: Sendable {
    /// It is a lane, if a transfer expects this secret from this peer.
    case lane(ConnectionSecret, PeerID?, ConversationEnvironment.Slot)
    /// It carries a resource, if a transfer expects this secret from its peer.
    case attachment(ConnectionSecret, ConversationStateMachine, ConversationEnvironment.Slot)
}
