/// Takes one connection from its opening to what it carries, or to its last word.
///
/// A pure value, the same for both sides, for transfers and for sessions; the time is passed in. It makes every decision about who
/// gets in. Trust stores, admission and people answer its questions. While an answer to a ``Conversation/Action/ask(_:)`` is awaited,
/// the owner passes no frame of the peer. (DocC, <doc:Conversations>.)
package struct ConversationStateMachine: Sendable {
    enum Phase: Hashable, Sendable {
        /// The connection is not open yet. Can become `greeting` or `ended`.
        case opening
        /// Our hello was sent. Can become `waiting` (listener), `claiming` or `identifying` (dialer), `carrying` (a lane) or
        /// `ended`.
        case greeting
        /// The listener awaits the first frame. Can become `claiming`, `identifying` or `ended`.
        case waiting
        /// The dialer has presented the claim to a resource, and the listener looks for the transfer that expects it. Can become `carrying` or
        /// `ended`.
        case claiming
        /// The trust store and the application are asked whether the peer may continue. Can become `testing`, `ready`, `inviting`, `linking` or `ended`.
        case identifying
        /// The dialer's side tests the connection. Can become `ready` or `ended`.
        case testing
        /// The dialer has not said what it wants. Can become `inviting`, `linking` or `ended`.
        case ready
        /// The invitation is not answered. Can become `linking`, `carrying` (a transfer) or `ended`.
        case inviting
        /// One side has asked for a link, or may. Can become `carrying` or `ended`.
        case linking
        /// Can become `ended`.
        case carrying(Conversation.Use)
        /// Final.
        case ended
    }

    /// How far the answer to an invitation is.
    struct Invitation: Sendable {
        var request: InvitationRequest
        /// When the listener's time is over.
        var end: ContinuousClock.Instant
        /// Whether the right token admits the peer.
        var hasToken = false
        /// Whether there is a slot for the transfer.
        var hasSlot = false
        /// Whether a person who accepts has compared the digits.
        var isCompared = false
        /// Whether the need for digits has been decided.
        var isConsidered = false
        /// Whether nothing has to be compared, or the comparison is over.
        var isCleared = false
        /// Whether the invitation is accepted, as soon as it is cleared.
        var isAccepted = false
    }

    let side: Conversation.Side
    let purpose: Conversation.Purpose
    package let times: Conversation.Times
    let own: Hello
    /// Whether a dialer has a token, which names the key of the listener.
    let hasOwnToken: Bool
    let nonce: PairingNonce
    var phase: Phase = .opening
    var handshake: HandshakeStateMachine
    var keepAlive: KeepAliveStateMachine
    var nextKeepAlive: ContinuousClock.Instant
    var deadline: (step: Conversation.Deadline, time: ContinuousClock.Instant)?
    /// The id that the peer's certificate proves; nil in plain text.
    package internal(set) var certifiedID: PeerID?
    /// What the peer says of itself; nil before.
    package internal(set) var peer: Hello?
    package internal(set) var trust = Conversation.Trust.unknown
    /// The frame that the listener looks at when the peer is known.
    var first: Frame?
    var version = ProtocolVersion.version1
    /// Whether the peer has said what it wants of a link.
    var hasTerms = false
    var invitation: Invitation?
    var pairing: ConversationPairing?

    /// Creates the machine of a connection.
    ///
    /// - `hasToken`: Whether this side dials with a token, which names the key of the listener.
    package init(
        _ side: Conversation.Side,
        _ purpose: Conversation.Purpose,
        hello: Hello,
        hasToken: Bool = false,
        nonce: PairingNonce,
        times: Conversation.Times,
        at now: ContinuousClock.Instant
    ) {
        self.side = side
        self.purpose = purpose
        self.own = hello
        self.hasOwnToken = hasToken
        self.nonce = nonce
        self.times = times
        handshake = HandshakeStateMachine(hello: hello)
        keepAlive = KeepAliveStateMachine(interval: times.keepAlive, silence: times.silence, start: now)
        nextKeepAlive = now
        deadline = (.securing, now + times.securing)
    }
}

// MARK: What is known

extension ConversationStateMachine {
    /// Whether the conversation is over.
    package var hasEnded: Bool { phase == .ended }

    /// Whether the connection is not open yet.
    package var isOpening: Bool { phase == .opening }

    /// Whether an invitation is not answered.
    package var isInviting: Bool { phase == .inviting }

    /// What the connection carries; nil before that is decided.
    package var use: Conversation.Use? { if case .carrying(let use) = phase { use } else { nil } }

    /// The features that both sides know; no others are used.
    package var features: Set<String> { Set(own.features).intersection(peer?.features ?? []) }

    /// Whether the right token admits the dialer.
    package var isAdmittedByToken: Bool {
        switch side {
        case .dialer: certifiedID != nil && (invitation.map { $0.request.token != nil } ?? hasOwnToken)
        case .listener: invitation?.hasToken == true
        }
    }

    /// The digits, while people may compare them.
    package var digits: PairingDigits? { pairing?.machine.digits }

    /// Whether the person at this side has said that the digits are the same.
    package var isConfirmed: Bool { pairing?.isConfirmed == true }

    /// Whether the person at the other side has said so.
    package var isConfirmedByPeer: Bool { pairing?.machine.isConfirmedByPeer == true }

    /// Whether people may compare digits, and neither a link nor a decision of this side has come of it.
    package var hasUnsettledDigits: Bool { digits != nil && pairing?.isSettled == false }

    /// Whether the peer asks for a link, and no member has introduced it yet.
    package var awaitsIntroduction: Bool { deadline?.step == .introduction }

    /// The peer's invitation, or the one to the peer.
    package var request: InvitationRequest? { invitation?.request }

    /// When the time of the invitation is over.
    package var invitationEnd: ContinuousClock.Instant? { invitation?.end }

    /// The name of the phase, or what the connection carries, for logs.
    package var phaseName: String {
        switch phase {
        case .opening: "opening"
        case .greeting: "greeting"
        case .waiting: "waiting"
        case .claiming: "claiming"
        case .identifying: "identifying"
        case .testing: "testing"
        case .ready: "ready"
        case .inviting: "inviting"
        case .linking: "linking"
        case .carrying(let use): "\(use)"
        case .ended: "ended"
        }
    }
}
