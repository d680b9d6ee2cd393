import PeerProtocol

/// Finds out by the first frames of a connection whether its peer wants a transfer or a session.
///
/// A pure value. Only a peer that encrypts and says that it knows sessions is kept waiting. Everything else counts as a transfer
/// at once, what is wrong with the connection included: the driver of transfers tells the peer.
struct FrontDeskStateMachine: Sendable {
    /// What a peer wants.
    enum Wish: Hashable, Sendable {
        /// A transfer.
        case transfer
        /// To be a lane.
        case lane
        /// A session.
        case session
        /// To carry a resource of a session, with this secret.
        case attachment(LaneSecret, from: PeerID)
        /// Nothing yet, and its time is over: whoever dialed can try again.
        case nothing
    }

    /// What to do about a part.
    enum OnReceived: Equatable, Sendable {
        /// Send the preface and this hello, and wait for more.
        case greet(Hello)
        /// Wait for more.
        case wait
        /// Pass this part and all before it to whatever the peer wants.
        case decide(Wish)
        /// Pass all parts but this one to whatever the peer wants.
        case decideWithout(Wish)
    }

    private enum State {
        case opening
        case awaitingHello(from: PeerID)
        case awaitingWish(of: PeerID)
        case decided
    }

    private var state: State = .opening
    private var handshake: HandshakeStateMachine

    /// Creates a machine.
    ///
    /// - Parameter hello: What this side says of itself, with what it says of sessions.
    init(hello: Hello) {
        handshake = HandshakeStateMachine(hello: hello)
    }

    /// Whether it is known what the peer wants.
    var isDecided: Bool {
        if case .decided = state { true } else { false }
    }

    /// How long the peer may take for its next step; nil once it is known what it wants.
    func timeout(_ configuration: SessionConfiguration) -> Duration? {
        switch state {
        case .opening: configuration.securingTimeout
        case .awaitingHello: configuration.handshakeTimeout
        case .awaitingWish: configuration.manifestTimeout
        case .decided: nil
        }
    }

    /// The next part has come.
    mutating func received(_ part: InboundPart) -> OnReceived {
        switch (state, part) {
        case (.opening, .opened(.encrypted(let id))):
            guard case .sendHello(let hello) = handshake.start() else { return decide(.transfer) }
            state = .awaitingHello(from: id)
            return .greet(hello)
        case (.awaitingHello(let id), .frame(.hello(let hello))) where hello.features.contains(Hello.sessionsFeature):
            guard case .connect = handshake.receivedHello(hello, certificate: id) else { return decide(.transfer) }
            state = .awaitingWish(of: id)
            return .wait
        case (.awaitingWish, .frame(.link)):
            return decide(.session)
        case (.awaitingWish, .frame(.invite(let invitation))) where invitation.session != nil:
            return decide(.session)
        case (.awaitingWish(let id), .frame(.record(let record))):
            guard let secret = Self.secret(in: record) else { return decide(.session) }
            state = .decided
            return .decideWithout(.attachment(secret, from: id))
        case (.awaitingHello, .frame(.join)):
            return decide(.lane)
        default:
            return decide(.transfer)
        }
    }

    /// The connection has ended, or nobody waits for the peer any more; the driver of transfers notices what has happened.
    mutating func gaveUp() -> OnReceived { decide(.transfer) }

    /// The peer has taken too long.
    ///
    /// Silence is no wish: what the peer says later would be out of turn for whoever got the connection.
    mutating func timeIsOver() -> OnReceived { decide(.nothing) }

    /// The secret that a connection presents; nil if it presents none.
    private static func secret(in record: Record) -> LaneSecret? {
        guard record.kind == .resource, let notice = try? ResourceNotice(decoding: record.payload),
            case .attach(let secret) = notice.verb
        else { return nil }
        return secret
    }

    private mutating func decide(_ wish: Wish) -> OnReceived {
        state = .decided
        return .decide(wish)
    }
}
