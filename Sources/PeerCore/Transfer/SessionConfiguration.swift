/// The timers, bounds and preferences of sessions. (Wire format, "Timers" and "Limits".)
public struct SessionConfiguration: Sendable {
    /// The bounds that a peer cannot exceed.
    package var limits = ProtocolLimits.standard
    /// What this side wants of encryption.
    public var encryption = EncryptionPreference.required
    /// How long one address may take to answer.
    package var connectTimeout: Duration = .seconds(3)
    /// How long connecting may take, over all addresses.
    package var connectingTimeout: Duration = .seconds(10)
    /// How long the TLS handshake may take.
    package var securingTimeout: Duration = .seconds(5)
    /// How long the other side may take to say hello once the connection is open.
    package var handshakeTimeout: Duration = .seconds(15)
    /// How long the receiver waits for an answer to its invitation; at most 60 seconds.
    public var invitationTimeout: Duration = .seconds(60)
    /// How long the sender waits for an invitation, and the receiver for the manifest after it was accepted.
    package var manifestTimeout: Duration = .seconds(15)
    /// How long the person at the receiver may think about an offer.
    public var offerTimeout: Duration = .seconds(600)
    /// How long a sender waits for the answer to an offer if it let an unknown receiver in without asking a person.
    package var unattendedOfferTimeout: Duration = .seconds(120)
    /// How long the two sides may take to agree on the digits of a pairing; no person is involved yet.
    package var pairingTimeout: Duration = .seconds(5)
    /// How many pairings may begin at a sender at once, from all addresses together.
    package var pairingBurst = 8
    /// After what time one more pairing may begin.
    package var pairingInterval: Duration = .seconds(5)
    /// How long an address that has begun a pairing leaves the last place to addresses that have not.
    package var pairingMemory: Duration = .seconds(3600)
    /// How long the peer may go on without sending or taking any bytes of resources, although it only has to.
    package var stallTimeout: Duration = .seconds(60)
    /// How long the peer may work on its own disk: on digests to answer, chunks to find, or what came to commit.
    ///
    /// A sender adds one second for each 4 MB that it offers, as a receiver may have to read all of it.
    package var workTimeout: Duration = .seconds(600)
    /// How often a sign of life is sent.
    package var keepAliveInterval: Duration = .seconds(2)
    /// How long the peer may be silent before it counts as lost.
    package var silenceTimeout: Duration = .seconds(6)
    /// How long a side that has said its last word waits for the other to close.
    package var lingerTimeout: Duration = .seconds(2)
    /// For how long a sender without encryption waits for a receiver that began with it to come in plain text, before it
    /// reports that one as refused.
    package var plainTextRetryTime: Duration = .seconds(3)
    /// Whether bulk data may go over further connections of a session.
    package var lanes = LaneUse.whenTheyHelp
    /// How many transfers a sender serves at once.
    public var maximumTransfers = 8
    /// How many of these places only known peers and peers that a person has let in may take; a single place is never kept.
    package var reservedTransfers = 1
    /// How many transfers at once a sender serves to unknown receivers at one address, if no person has let them in.
    package var maximumTransfersPerAddress = 4
    /// How many transfers a receiver takes at once; a further one is refused before it connects.
    public var maximumReceptions = Int.max
    /// How many connections a listener holds at once, those included that have not said who they are.
    package var maximumConnections = 64
    /// How many connections from one address may wait to say who they are and what they want.
    package var maximumConnectionsPerAddress = 8
    /// How many strangers' invitations may wait for a person at once.
    package var maximumInvitations = 8
    /// How many strangers' invitations from one address may wait for a person at once.
    package var maximumInvitationsPerAddress = 2
    /// How many failed pairings within ``lockDuration`` lock an address out of pairing.
    package var maximumPairingFailures = 3
    /// How many wrong tokens within ``lockDuration`` make an address's further ones count as wrong.
    package var maximumWrongTokens = 5
    /// Within what time failures count, and how long an address is locked out after too many.
    package var lockDuration: Duration = .seconds(60)

    /// Creates the default configuration.
    public init() {}

    /// How often deadlines are looked at: often enough for the shortest timer.
    var tickInterval: Duration {
        let shortest = min(
            min(keepAliveInterval, silenceTimeout, securingTimeout),
            min(handshakeTimeout, invitationTimeout, manifestTimeout),
            min(offerTimeout, lingerTimeout, pairingTimeout),
            min(stallTimeout, workTimeout)
        )
        return max(.milliseconds(5), min(.milliseconds(250), shortest / 4))
    }

    /// How long a peer may work that has to read so many bytes, on a slow disk and more than once.
    func workTimeout(forBytes count: UInt64) -> Duration {
        workTimeout + .seconds(Int64(clamping: count / 4_000_000))
    }

    func makePairingLock() -> AddressLockout {
        AddressLockout(maximumFailures: maximumPairingFailures, window: lockDuration)
    }

    func makePairingRateLimiter() -> PairingRateLimiter {
        PairingRateLimiter(burst: pairingBurst, interval: pairingInterval, memory: pairingMemory)
    }
}
