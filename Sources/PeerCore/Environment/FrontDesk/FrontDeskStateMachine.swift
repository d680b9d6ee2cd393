import PeerProtocol

/// Finds out by the first frames of a connection whether its peer wants a transfer or a session.
///
/// A pure value. Only a peer that encrypts and says that it knows sessions is kept waiting. Everything else counts as a transfer
/// at once, what is wrong with the connection included: the driver of transfers tells the peer.
struct FrontDeskStateMachine: Sendable {
    /// What a peer wants.
    enum Wish: Sendable {
        /// A transfer, or a lane of one.
        case transfer
        /// A session.
        case session
    }

    /// What to do about a part.
    enum OnReceived: Equatable, Sendable {
        /// Send the preface and this hello, and wait for more.
        case greet(Hello)
        /// Wait for more.
        case wait
        /// Pass this part and all before it to whatever the peer wants.
        case decide(Wish)
    }

    private enum State {
        case opening
        case awaitingHello(from: PeerID)
        case awaitingWish
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
            state = .awaitingWish
            return .wait
        case (.awaitingWish, .frame(.link)):
            return decide(.session)
        case (.awaitingWish, .frame(.invite(let invitation))) where invitation.session != nil:
            return decide(.session)
        default:
            return decide(.transfer)
        }
    }

    /// The connection has ended, or the peer has taken too long.
    mutating func gaveUp() -> OnReceived { decide(.transfer) }

    private mutating func decide(_ wish: Wish) -> OnReceived {
        state = .decided
        return .decide(wish)
    }
}
