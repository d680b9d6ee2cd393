/// A change of a transfer or its connection.
public struct TransferUpdate: Sendable {
    /// The kind of a change.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Event: Sendable {
        /// The connection entered a state.
        case connection(ConnectionState)
        /// The transfer entered a state, or made progress.
        case transfer(TransferState)
    }

    /// The number of the transfer: 1 for the first of a sender.
    ///
    /// In the log, it is the number of the connection.
    public var transfer: Int
    /// The peer; nil until its hello has arrived.
    public var peer: RemotePeer?
    /// What happened.
    public var event: Event
}
