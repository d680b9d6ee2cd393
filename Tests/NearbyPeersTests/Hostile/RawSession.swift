import FoundationEssentials
import NIOCore
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// A peer that a test plays frame by frame, as a program would that was written to do harm.
struct RawSession: Sendable {
    let local: LocalPeer
    /// The session that is attacked.
    let target: PeerID
    let side: Side
    var incarnation: Incarnation?

    /// The first frame of a failure or a refusal that the session has told; nil if there is none.
    var lastWord: Frame? {
        side.frames.first { frame in
            switch frame {
            case .failure, .decline: true
            default: false
            }
        }
    }

    /// The code of the failure that the session has told; nil if there is none.
    var failure: String? {
        if case .failure(let failure)? = lastWord { failure.code } else { nil }
    }

    /// The code of the refusal that the session has told; nil if there is none.
    var refusal: Refusal.Code? {
        if case .decline(let refusal)? = lastWord { refusal.code } else { nil }
    }

    /// The number of a stream that this side may open, from 0.
    func stream(_ index: Int) -> UInt32 {
        UInt32(clamping: 2 * index + (local.id.hex < target.hex ? 2 : 1))
    }

    func send(_ frames: Frame...) { side.connection.send(frames, written: nil) }

    func send(_ frames: [Frame]) { side.connection.send(frames, written: nil) }

    /// Says hello, as a program that knows sessions.
    func sayHello(sessions: Bool = true) {
        send(
            .hello(
                Hello(
                    application: local.application.name,
                    peerID: local.id,
                    displayName: local.displayName,
                    platform: "Linux",
                    software: "attack 1",
                    role: .dialer,
                    encryption: .required,
                    maximumResourceSize: 0,
                    features: sessions ? [Hello.sessionsFeature] : [],
                    incarnation: incarnation
                )
            )
        )
    }

    func invitation(wish: UInt64 = 1, takesAnyone: Bool = true) -> Frame {
        .invite(
            InvitationRequest(
                timeout: 30,
                session: SessionInvitation(
                    members: 1,
                    connectionCount: 0,
                    wish: wish,
                    takesAnyone: takesAnyone
                )
            )
        )
    }

    func terms(epoch: UInt64 = 1, connectionCount: UInt64 = 0, received: UInt64 = 0) -> Frame {
        .link(
            LinkTerms(
                epoch: epoch,
                connectionCount: connectionCount,
                received: received,
                window: 65_536,
                maximumMessageLength: 1024 * 1024
            )
        )
    }
}

extension World {
    /// Opens a connection to a session, and closes it after `body`.
    func attack<Result: Sendable>(
        on session: PeerSession,
        as name: String = "mallory",
        with local: LocalPeer? = nil,
        incarnation: Incarnation? = .random(),
        _ body: @escaping @Sendable (RawSession) async throws -> Result
    ) async throws -> Result {
        let local = try local ?? configuration(name).local
        let addresses = try await address(of: session).resolve()
        let connection = try await environment(name).transport.connect(
            local: local,
            to: addresses,
            expecting: nil,
            configuration: ConnectionConfiguration()
        )
        connection.awaitLongFrames()
        let raw = RawSession(
            local: local,
            target: session.local.id,
            side: Side(connection),
            incarnation: incarnation
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: network?.executor) { await raw.side.run() }
            defer { group.cancelAll() }
            try await until { !raw.side.events.isEmpty }
            return try await body(raw)
        }
    }

    /// The same, once the session has said hello.
    func attackAfterHello<Result: Sendable>(
        on session: PeerSession,
        as name: String = "mallory",
        with local: LocalPeer? = nil,
        incarnation: Incarnation? = .random(),
        _ body: @escaping @Sendable (RawSession) async throws -> Result
    ) async throws -> Result {
        try await attack(on: session, as: name, with: local, incarnation: incarnation) { raw in
            raw.sayHello()
            try await until { raw.side.frames.contains { $0.type == .hello } }
            return try await body(raw)
        }
    }

    /// The same, with a link.
    func attackLinked<Result: Sendable>(
        on session: PeerSession,
        as name: String = "mallory",
        incarnation: Incarnation? = .random(),
        _ body: @escaping @Sendable (RawSession) async throws -> Result
    ) async throws -> Result {
        try await attackAfterHello(on: session, as: name, incarnation: incarnation) { raw in
            raw.send(raw.invitation())
            try await until { raw.side.frames.contains(.accept) }
            raw.send(raw.terms())
            try await until { session.peer(raw.local.id)?.state == .connected }
            return try await body(raw)
        }
    }

    /// Another peer still connects, and its message is the first that the application hears of.
    func checkThatOthersAreServed(by session: PeerSession, _ lines: IncomingMessages<Line>) async throws {
        try await self.session("ben") { ben in
            try await ben.invite(at: [address(of: session)])
            try await ben.send(Line(text: "still here"), to: session.local.id)
            // It is there before anybody reads, and waits behind whatever the attacker has left.
            try await whileTimePasses { try await ben.flush().get() }
            let received = try await whileTimePasses {
                var iterator = lines.makeAsyncIterator()
                return await iterator.next()
            }
            #expect(received?.message == Line(text: "still here"))
            #expect(received?.peer == ben.local.id)
        }
    }
}

extension Frame {
    static func open(_ stream: UInt32, _ kind: StreamOpening.Kind, _ name: String) -> Frame {
        let opening = StreamOpening(stream: stream, kind: kind, isOneWay: kind == .messages, name: name)
        return .record(Record(.open, payload: opening.encoded()))
    }

    static func bytes(_ stream: UInt32, _ bytes: ByteBuffer) -> Frame {
        .record(Record(.bytes, payload: StreamBytes(stream: stream, bytes: bytes).encoded()))
    }

    static func end(_ stream: UInt32, _ code: StreamEnd.Code, _ reason: String = "") -> Frame {
        .record(Record(.end, payload: StreamEnd(stream: stream, code: code, reason: reason).encoded()))
    }

    /// An entry on a stream of requests, whole.
    static func entry(_ stream: UInt32, _ entry: RequestEntry) -> Frame { .bytes(stream, entry.encoded()) }

    /// A request on a stream of requests, whole.
    static func request(_ stream: UInt32, _ number: UInt64, _ name: String, _ text: String) throws -> Frame {
        let name = try #require(LinkName(name))
        return .entry(stream, .request(number, name, version: 1, payload: ByteBuffer(string: text)))
    }

    /// A message on a stream, whole.
    static func message(_ stream: UInt32, _ name: String, version: UInt16 = 1, _ text: String) throws -> Frame {
        let form = Message.Form.json(try #require(LinkName(name)), version: version)
        let message = Message(form, payload: ByteBuffer(string: text))
        return .bytes(stream, try MessageFraming.join(message, maximumPayloadLength: 1024 * 1024))
    }
}
