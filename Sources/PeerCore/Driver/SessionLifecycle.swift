import Logging
import NIOCore

/// The part of a session that both roles share: opening, handshake, keep-alive, deadlines, last frame.
///
/// A value inside the actor that drives a session; it sends, but never waits.
struct SessionLifecycle {
    /// The meaning of a part.
    enum OnReceived {
        /// The lifecycle has handled it.
        case handled
        /// The handshake is complete.
        case connected(Hello)
        /// The first frame of the connection says that it is a lane of another session.
        case joins(LaneSecret)
        /// The role handles it.
        case forRole(InboundPart)
        /// The peer broke the protocol.
        case violated(ProtocolError)
        /// The two sides cannot agree on encryption.
        case encryptionMismatch(InboundPart.PeerWish)
    }

    /// What is said first on a connection that carries a resource of a session.
    struct Attachment {
        /// What this side says of itself.
        var hello: Hello
        /// What it presents; nil at the side that listens.
        var claim: ResourceNotice?
    }

    /// What to do as time passes.
    enum OnTick {
        case none
        case expired(SessionDeadline)
        case silent
    }

    let role: SessionRole
    let local: LocalPeer
    let configuration: SessionConfiguration
    let connection: FrameConnection
    /// The address of the peer.
    ///
    /// A closed connection no longer knows it.
    let addressKey: AddressKey
    var logger: Logger
    /// The state of the role's machine that was logged last.
    var loggedState = "new"

    private(set) var security: ConnectionSecurity?
    private(set) var isConnected = false
    /// The features that both sides announce; no others are used.
    private(set) var features: Set<String> = []
    private var version = ProtocolVersion.version1
    /// Whether the reader is processing a part.
    ///
    /// The peer may be silent then, because it waits for this side.
    var isBusy = false
    /// How many bytes the peer may have to read from its disk before it answers.
    var workByteCount: UInt64 = 0
    private var lastBusy: ContinuousClock.Instant
    private var bulkPace = BulkPace()
    /// Whether the last frame was sent.
    private var isFinished = false

    /// Whether the peer has sent any frame.
    private var hasHeard = false
    private var handshake: HandshakeStateMachine
    /// Presented as soon as the connection is open.
    private let claim: ResourceNotice?
    private var keepAlive: KeepAliveStateMachine
    private var nextKeepAlive: ContinuousClock.Instant
    private var deadlines = SessionDeadlines()

    init(
        role: SessionRole,
        local: LocalPeer,
        configuration: SessionConfiguration,
        connection: FrameConnection,
        logger: Logger,
        attachment: Attachment? = nil
    ) {
        let now = ContinuousClock.now
        self.role = role
        self.local = local
        self.configuration = configuration
        self.connection = connection
        self.addressKey = connection.addressKey
        self.logger = logger
        self.handshake = HandshakeStateMachine(hello: attachment?.hello ?? local.hello(configuration, as: role))
        self.claim = attachment?.claim
        self.keepAlive = KeepAliveStateMachine(
            interval: configuration.keepAliveInterval,
            silence: configuration.silenceTimeout,
            start: now
        )
        self.nextKeepAlive = now
        self.logger[metadataKey: "address"] = "\(connection.remoteAddress)"
        connection.activity.frames.begin(self.logger)
        self.lastBusy = now
        arm(.securing, after: configuration.securingTimeout)
    }

    mutating func arm(_ deadline: SessionDeadline, after duration: Duration) {
        let isNew = deadlines.set(deadline, to: .now.advanced(by: duration))
        logSet(deadline, after: duration, isNew: isNew)
    }

    mutating func disarm(_ deadline: SessionDeadline) {
        let isSet = deadlines.clear(deadline)
        logStopped(deadline, isSet: isSet)
    }

    func send(_ frame: Frame) {
        connection.send(.frame(frame))
    }

    mutating func received(_ part: InboundPart) -> OnReceived {
        switch part {
        case .opened(let security):
            opened(security)
            return .handled
        case .encryptionMismatch(let wish):
            return .encryptionMismatch(wish)
        case .invalid(let error):
            return .violated(error)
        case .frame(.cancel), .frame(.failure):
            return .forRole(part)
        case .frame, .dataHeader, .data:
            return isConnected ? .forRole(part) : receivedBeforeConnected(part)
        }
    }

    private mutating func opened(_ security: ConnectionSecurity) {
        self.security = security
        logOpened(security)
        disarm(.securing)
        arm(.handshake, after: configuration.handshakeTimeout)
        guard case .sendHello(let hello) = handshake.start() else { return }
        connection.send(.preface)
        send(.hello(hello))
        if let payload = try? claim?.encoded() { send(.record(Record(.resource, payload: payload))) }
    }

    private mutating func receivedBeforeConnected(_ part: InboundPart) -> OnReceived {
        defer { hasHeard = true }
        switch part {
        case .frame(.join(let join)) where !hasHeard:
            disarm(.handshake)
            return .joins(join.secret)
        case .frame(.hello(let hello)):
            logHello(hello)
            switch handshake.receivedHello(hello, certificate: security?.certifiedID) {
            case .connect(let hello, let version):
                return connected(hello, version)
            case .fail(let error):
                return .violated(error)
            }
        case .frame(let frame):
            return .violated(handshake.receivedOther(frame.type))
        case .opened, .encryptionMismatch, .dataHeader, .data, .invalid:
            return .violated(handshake.receivedOther(.data))
        }
    }

    private mutating func connected(_ hello: Hello, _ version: ProtocolVersion) -> OnReceived {
        isConnected = true
        logger[metadataKey: "peer"] = "\(hello.peerID.short)"
        logger.debug("handshake is complete", metadata: ["version": "\(version.number)"])
        self.version = version
        features = Set(local.hello(configuration, as: role).features).intersection(hello.features)
        disarm(.handshake)
        return .connected(hello)
    }

    /// Describes the peer that said hello.
    ///
    /// In plain text nothing proves an id, so a peer that claims the id of a trusted peer is refused.
    ///
    /// - Throws: ``IdentityRefusal``; what the store throws.
    func peer(_ hello: Hello, trust store: any TrustStore) async throws -> RemotePeer {
        let id = security?.certifiedID ?? hello.peerID
        let known = try await EventLoopExecutor.offEventLoop {
            try await store.trust(of: id, callingItself: hello.displayName)
        }
        if security?.certifiedID == nil {
            switch known {
            case .trusted(let name): throw IdentityRefusal.plainText(name)
            case .impostor(let name): throw IdentityRefusal.impostor(name, hello.peerID)
            case .unknown: break
            }
        }
        return RemotePeer(
            id: hello.peerID,
            displayName: hello.displayName,
            platform: hello.platform,
            software: hello.software,
            address: connection.remoteAddress,
            security: security ?? .plainText,
            trust: known
        )
    }

    /// Creates the machine for pairing with a peer whose certificate proves its id.
    func makePairing(_ role: PairingStateMachine.Role, with peer: PeerID) -> PairingStateMachine {
        let parties =
            switch role {
            case .sender: PairingParties(version: version, receiver: peer, sender: local.id)
            case .receiver: PairingParties(version: version, receiver: local.id, sender: peer)
            }
        return PairingStateMachine(role: role, parties: parties, nonce: .random())
    }

    /// Restarts the time limit after a step of the transfer.
    ///
    /// - Parameters:
    ///   - isBulk: Whether bytes are awaited; if not, the peer has work to do on its own disk.
    ///   - bytes: How many bytes were transferred; a few are no progress.
    mutating func progressed(isBulk: Bool, bytes: Int = 0) {
        guard bulkPace.moved(bytes, isOwed: isBulk) else { return }
        arm(.progress, after: isBulk ? configuration.stallTimeout : configuration.workTimeout(forBytes: workByteCount))
    }

    mutating func tick(at now: ContinuousClock.Instant) -> OnTick {
        if isBusy { lastBusy = now }
        if let since = connection.activity.unfinishedSince, !isFinished,
            now - max(since, lastBusy) >= configuration.stallTimeout
        {
            return .expired(.progress)
        }
        if let expired = deadlines.expired(at: now) {
            // The reader is processing a part: the peer waits for this side.
            guard expired != .progress || !isBusy else {
                bulkPace = BulkPace()
                progressed(isBulk: true)
                return .none
            }
            deadlines.clear(expired)
            logExpired(expired)
            return .expired(expired)
        }
        guard isConnected, !isFinished, now >= nextKeepAlive else { return .none }
        switch keepAlive.tick(at: now, lastReceipt: isBusy ? now : connection.activity.last) {
        case .send(let next):
            nextKeepAlive = next
            logSilence(at: now, isLost: false)
            connection.send(.ping())
            return .none
        case .lost:
            logSilence(at: now, isLost: true)
            return .silent
        }
    }

    /// Sends the last frame, if the end needs one, and gives the peer a moment to close.
    mutating func finish(_ end: SessionEnd) {
        logEnd(end)
        deadlines = SessionDeadlines()
        isFinished = true
        switch end {
        case .completed, .declined:
            break  // The role has said it.
        case .cancelled(let cancellation):
            if security != nil { send(.cancel(cancellation)) }
        case .failed(let failure):
            if security != nil { send(.failure(failure)) }
        case .violated(let error):
            if security != nil { send(.failure(Failure(violated: error))) }
        case .declinedByPeer, .cancelledByPeer, .failedByPeer, .connectionLost:
            // The peer has sent its last frame. An answer would wait behind bulk data that is not needed any more.
            connection.abort()
            return
        }
        arm(.linger, after: configuration.lingerTimeout)
    }
}

extension Failure {
    /// What the peer is told when it broke the protocol.
    init(violated error: ProtocolError) {
        self.init(code: error.code.description, message: error.message)
    }
}
