/// The beginning of every session: both sides say hello, then one ping and pong each.
///
/// It is the same for both roles. The order of events: ``start()``, ``receivedHello(_:certificate:)``, and then
/// ``receivedPing(_:)`` and ``receivedPong(_:)`` in either order.
public struct HandshakeStateMachine: Sendable {
    private enum State {
        /// Nothing was sent. Can become `awaitingHello`.
        case idle
        /// Our hello was sent. Can become `awaitingPong` or `failed`.
        case awaitingHello
        /// Our ping was sent. Can become `connected` or `failed`.
        case awaitingPong(Hello, ProtocolVersion, pingReceived: Bool)
        /// Both directions work. Can become `failed`.
        case connected
        /// The peer broke the protocol. Final.
        case failed
    }

    /// What to do at the start.
    public enum OnStart: Equatable, Sendable {
        /// Send the preface and this hello.
        case sendHello(Hello)
        /// Nothing: it was started before.
        case none
    }

    /// What to do about a hello.
    public enum OnReceivedHello: Equatable, Sendable {
        /// Send this ping; note the time.
        case sendPing(Ping)
        /// End the session and tell the peer.
        case fail(ProtocolError)
    }

    /// What to do about a ping.
    public enum OnReceivedPing: Equatable, Sendable {
        /// Answer with this pong.
        case sendPong(Ping)
        /// Answer with this pong; the handshake is then complete.
        case sendPongAndConnect(Ping, Hello, ProtocolVersion)
        /// End the session and tell the peer.
        case fail(ProtocolError)
    }

    /// What to do about a pong.
    public enum OnReceivedPong: Equatable, Sendable {
        /// The handshake is complete.
        case connect(Hello, ProtocolVersion)
        /// Wait for the peer's ping.
        case waitForPing
        /// End the session and tell the peer.
        case fail(ProtocolError)
    }

    private let hello: Hello
    private let ping: Ping
    private var state: State = .idle
    private var pongReceived = false

    /// Creates a machine.
    ///
    /// - Parameters:
    ///   - hello: What we say of ourselves.
    ///   - nonce: A random number for our ping.
    public init(hello: Hello, nonce: UInt32) {
        self.hello = hello
        self.ping = Ping(nonce: nonce)
    }

    /// Whether both directions are known to work.
    public var isConnected: Bool {
        if case .connected = state { true } else { false }
    }

    /// The connection is open, and secured if it is to be.
    public mutating func start() -> OnStart {
        guard case .idle = state else { return .none }
        state = .awaitingHello
        return .sendHello(hello)
    }

    /// The peer said hello.
    ///
    /// - Parameters:
    ///   - theirs: What it says of itself.
    ///   - certificate: The id that its certificate proves; nil on a plain-text connection.
    /// - Returns: What to do.
    public mutating func receivedHello(_ theirs: Hello, certificate: PeerID?) -> OnReceivedHello {
        guard case .awaitingHello = state else { return .fail(unexpected(.hello)) }
        guard let version = ProtocolVersion.highestCommon(hello.versions, theirs.versions) else {
            return .fail(poison(Self.unsupportedVersion(ours: hello.versions, theirs: theirs.versions)))
        }
        if certificate == nil, !Self.allowsPlainText(ours: hello.encryption, theirs: theirs.encryption) {
            return .fail(poison(Self.downgraded))
        }
        if let certificate, certificate != theirs.peerID {
            return .fail(
                poison(
                    ProtocolError(
                        .identityMismatch,
                        "The other side claims to be \(theirs.peerID), but its certificate belongs to \(certificate)."
                    )
                )
            )
        }
        guard theirs.peerID != hello.peerID else {
            return .fail(
                poison(
                    ProtocolError(
                        .identityMismatch,
                        "The other side has the same identity as this one. Use another store on one of the two."
                    )
                )
            )
        }
        state = .awaitingPong(theirs, version, pingReceived: false)
        return .sendPing(ping)
    }

    /// The peer sent a ping.
    public mutating func receivedPing(_ theirs: Ping) -> OnReceivedPing {
        guard case .awaitingPong(let hello, let version, pingReceived: false) = state else {
            return .fail(unexpected(.ping))
        }
        if pongReceived {
            state = .connected
            return .sendPongAndConnect(theirs, hello, version)
        }
        state = .awaitingPong(hello, version, pingReceived: true)
        return .sendPong(theirs)
    }

    /// The peer answered our ping.
    public mutating func receivedPong(_ theirs: Ping) -> OnReceivedPong {
        guard case .awaitingPong(let hello, let version, let pingReceived) = state, !pongReceived else {
            return .fail(unexpected(.pong))
        }
        guard theirs == ping else {
            return .fail(poison(ProtocolError(.invalidFrame, "The other side answered a ping that was not sent.")))
        }
        pongReceived = true
        guard pingReceived else { return .waitForPing }
        state = .connected
        return .connect(hello, version)
    }

    /// A frame came that is none of the handshake's, before the handshake was complete.
    public mutating func receivedOther(_ type: FrameType) -> ProtocolError {
        unexpected(type)
    }

    private mutating func unexpected(_ type: FrameType) -> ProtocolError {
        poison(ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn."))
    }

    private mutating func poison(_ error: ProtocolError) -> ProtocolError {
        state = .failed
        return error
    }

    /// Plain text comes about only if one side wants it and the other allows it.
    private static func allowsPlainText(ours: EncryptionPreference, theirs: EncryptionPreference) -> Bool {
        ours != .required && theirs != .required && (ours == .none || theirs == .none)
    }

    private static let downgraded = ProtocolError(
        .encryptionMismatch,
        "Both sides support encryption, but this session is not encrypted: someone may be tampering with the connection."
    )

    private static func unsupportedVersion(ours: [ProtocolVersion], theirs: [ProtocolVersion]) -> ProtocolError {
        let newest = ours.max() ?? .version1
        let theyAreNewer = (theirs.min() ?? .version1) > newest
        return ProtocolError(
            .unsupportedVersion,
            theyAreNewer
                ? "The other side speaks a newer version of the protocol. Update the program on this machine."
                : "The other side speaks an older version of the protocol. Update the program on the other machine."
        )
    }
}
