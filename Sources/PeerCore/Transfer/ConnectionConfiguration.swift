/// The timeouts, limits and preferences of connections. (Wire format, "Timers" and "Limits".)
public struct ConnectionConfiguration: Sendable {
    /// The bounds that a peer cannot exceed.
    package var limits = ProtocolLimits.standard
    /// Whether this side requires encryption.
    public var encryption = EncryptionPreference.required
    /// The time within which one address must answer.
    package var connectTimeout: Duration = .seconds(3)
    // The kernel asks where the machine is before it connects, so on a way of two seconds both together take four.
    /// The time within which one address must answer if a person waits for it, who would rather have a slow network than none.
    package static let patientConnectTimeout: Duration = .seconds(5)
    /// The time for connecting, over all addresses.
    package var connectingTimeout: Duration = .seconds(10)
    /// The time for the TLS handshake; more for a peer that was slow to accept the connection.
    package var securingTimeout: Duration = .seconds(5)
    /// The time within which the hello of the other side must arrive after the connection is open.
    package var handshakeTimeout: Duration = .seconds(15)
    /// How long the receiver waits for an answer to its invitation; at most 60 seconds.
    public var invitationTimeout: Duration = .seconds(60)
    /// How long the sender waits for an invitation, and the receiver for the manifest after it was accepted.
    package var manifestTimeout: Duration = .seconds(15)
    /// The time within which the receiver must answer an offer.
    public var offerTimeout: Duration = .seconds(600)
    /// The time within which an offer is compared with what the receiver has, before a person is asked.
    ///
    /// What is not compared by then counts as a whole in ``TransferOffer/estimate``.
    public var surveyTimeout: Duration = .seconds(3)
    /// The time after which ``TransferState/comparing`` is reported.
    package var comparisonNotice: Duration = .seconds(1)
    // Such a receiver may be a stranger that keeps a slot from others.
    /// How long a sender waits for the answer to an offer if it accepted an unknown receiver without asking a person.
    package var unattendedOfferTimeout: Duration = .seconds(120)
    /// The time within which the two sides must compute the digits of a pairing; no person is involved in this step.
    package var pairingTimeout: Duration = .seconds(5)
    /// The time after which a transfer ends if no bytes of resources are transferred, although nothing prevents it.
    package var stallTimeout: Duration = .seconds(60)
    /// The time for the peer's work on its own disk: reading digests, finding existing chunks, committing.
    ///
    /// A sender adds one second for each 4 MB that it offers, because a receiver may have to read all of it.
    package var workTimeout: Duration = .seconds(600)
    /// The interval between pings.
    package var keepAliveInterval: Duration = .seconds(2)
    // Three pings in a row must go unanswered.
    /// The time without received bytes after which the connection counts as lost.
    package var silenceTimeout: Duration = .seconds(6)
    // The last word waits behind a quarter of a second of bulk data at most (`UnsentBudget`); the rest is for the peer.
    /// The time for which a side that has sent its last frame waits until the other side closes.
    package var lingerTimeout: Duration = .seconds(2)
    /// The time for which a sender without encryption waits until a receiver that began with TLS connects in plain text,
    /// before the sender reports the receiver as refused.
    package var plainTextRetryTime: Duration = .seconds(3)
    /// Whether a transfer may send bulk data over further connections.
    package var lanes = LaneUse.whenTheyHelp
    /// The number of transfers that a sender serves at the same time.
    public var maximumTransfers = 8
    /// The number of these slots that are reserved for trusted peers and for peers that a person has accepted.
    ///
    /// A single slot is never reserved.
    package var reservedTransfers = 1
    // Half of the slots: one machine cannot keep strangers at other addresses out.
    /// The number of transfers that a sender serves at the same time to unknown receivers at one address that no person has
    /// accepted.
    package var maximumTransfersPerAddress = 4
    /// The number of transfers that a receiver runs at the same time.
    ///
    /// A further one fails before it connects.
    public var maximumReceptions = Int.max
    /// The number of connections that a listener keeps open, including those whose hello has not arrived.
    package var maximumConnections = 64
    /// The number of connections from one address whose hello or invitation has not arrived.
    package var maximumConnectionsPerAddress = 8
    /// The number of invitations of unknown peers that wait for a person.
    package var maximumInvitations = 8
    /// The number of invitations of unknown peers at one address that wait for a person.
    package var maximumInvitationsPerAddress = 2
    /// The limits of wrong guesses.
    package var guesses = GuessLimits()

    /// Creates the default configuration.
    public init() {}

    /// The interval at which deadlines are checked; short enough for the shortest timeout.
    var tickInterval: Duration {
        let shortest = min(
            min(keepAliveInterval, silenceTimeout, securingTimeout),
            min(handshakeTimeout, invitationTimeout, manifestTimeout),
            min(offerTimeout, lingerTimeout, pairingTimeout),
            min(stallTimeout, workTimeout, surveyTimeout)
        )
        // A deadline is noticed late by at most a quarter of the shortest timeout.
        return max(.milliseconds(5), min(.milliseconds(250), shortest / 4))
    }

    /// The time limit for work of a peer that reads this many bytes, perhaps several times from a slow disk.
    func workTimeout(forBytes count: UInt64) -> Duration {
        workTimeout + .seconds(Int64(clamping: count / 4_000_000))
    }
}
