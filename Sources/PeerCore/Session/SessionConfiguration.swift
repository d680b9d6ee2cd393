/// The timers, bounds and preferences of sessions. (Wire format, "Timers" and "Limits".)
public struct SessionConfiguration: Sendable {
    /// The bounds that a peer cannot exceed.
    public var limits = ProtocolLimits.standard
    /// What this side wants of encryption.
    public var encryption = EncryptionPreference.required
    /// How long one address may take to answer.
    public var connectTimeout: Duration = .seconds(3)
    /// How long the TLS handshake may take.
    public var securingTimeout: Duration = .seconds(5)
    /// How long the handshake may take, from hello to pong.
    public var handshakeTimeout: Duration = .seconds(15)
    /// How long the receiver waits for an answer to its invitation; at most 60 seconds.
    public var invitationTimeout: Duration = .seconds(60)
    /// How long the sender waits for an invitation, and the receiver for the manifest after it was accepted.
    public var manifestTimeout: Duration = .seconds(15)
    /// How long the person at the receiver may think about an offer.
    public var offerTimeout: Duration = .seconds(600)
    /// How often a sign of life is sent.
    public var keepAliveInterval: Duration = .seconds(2)
    /// How long the peer may be silent before it counts as lost.
    public var silenceTimeout: Duration = .seconds(6)
    /// How long a side that has said its last word waits for the other to close.
    public var lingerTimeout: Duration = .seconds(2)
    /// How many transfers a sender serves at once.
    public var maximumTransfers = 8
    /// How many connections a listener holds at once, those included that have not said who they are.
    public var maximumConnections = 64

    /// Creates the default configuration.
    public init() {}

    /// How often deadlines are looked at: often enough for the shortest timer.
    var tickInterval: Duration {
        let shortest = min(
            min(keepAliveInterval, silenceTimeout, securingTimeout),
            min(handshakeTimeout, invitationTimeout, manifestTimeout),
            min(offerTimeout, lingerTimeout)
        )
        return max(.milliseconds(5), min(.milliseconds(250), shortest / 4))
    }
}
