package import NIOCore
package import PeerProtocol
package import PeerStorage

/// The environment of sessions: connections, discovery and time.
///
/// ``NetworkTransport`` is the real one; tests of applications use one in memory.
package protocol PeerTransport: Sendable {
    /// Tells and waits for the time.
    var clock: any PeerClock { get }
    /// Announces and finds services.
    var discovery: any DiscoveryBackend { get }
    /// Runs the tasks of sessions; nil for the default executor.
    var executor: (any TaskExecutor)? { get }
    /// Runs the handlers of the application that sessions call, which may block; nil for the default executor, on which it may not.
    var applicationExecutor: (any TaskExecutor)? { get }

    /// Returns a random number, which need not be a secret.
    func random() -> UInt64

    /// Calls `body` once, on a thread that it may block.
    func runBlocking(_ body: @escaping @Sendable () -> Void)

    /// The addresses of this machine with a port, as `HOST:PORT`, the most useful first.
    func ownAddresses(port: Int) -> [String]

    /// The networks that this machine is on now; only addresses there are dialed if a peer names them.
    var networks: LocalNetworks { get }

    /// Accepts connections while `body` runs.
    ///
    /// - Parameters:
    ///   - local: This machine; its key encrypts the connections.
    ///   - port: The port; 0 for any free port.
    ///   - configuration: The limits and timers.
    ///   - incarnation: Which run of the program this is.
    ///   - admission: Decides which connections are admitted.
    ///   - accept: Called in a task of its own for each admitted connection, with the number under which the admission knows it;
    ///     must run the connection with ``PeerConnection/run(_:)``.
    ///   - body: Uses the listener; gets its port. When it returns, all accepted connections are closed.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotListen``; the error of `body`.
    func withListener(
        local: LocalPeer,
        port: Int,
        configuration: ConnectionConfiguration,
        incarnation: Incarnation,
        admission: Admission,
        accept: @escaping @Sendable (any PeerConnection, _ number: Int) async -> Void,
        body: @Sendable (_ port: Int) async throws -> Void
    ) async throws

    /// Opens a connection to a peer, trying all addresses, and waits until the peer has proved its id.
    ///
    /// The caller must run it with ``PeerConnection/run(_:)``.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect``, ``PeerError/Code/notTrusted``,
    ///   ``PeerError/Code/cancelled`` and others.
    func connect(
        local: LocalPeer,
        to addresses: [SocketAddress],
        expecting: ExpectedPeer?,
        configuration: ConnectionConfiguration
    ) async throws(PeerError) -> any PeerConnection

    /// Carries a resource of a session over a connection of its own.
    ///
    /// - Returns: The receiver's receipt.
    /// - Throws: ``PeerError``; with ``PeerError/Code/connectionLost``, ``PeerError/Code/cannotConnect`` or
    ///   ``PeerError/Code/timedOut`` it can be tried again.
    func carry(
        _ transfer: AttachedTransfer,
        by route: AttachedTransfer.Route
    ) async throws(PeerError) -> TransferReceipt
}

extension PeerTransport {
    /// Threads that nothing else runs on.
    package var applicationExecutor: (any TaskExecutor)? { BlockingThreads.application }

    /// Returns a number of the system's generator.
    package func random() -> UInt64 { .random(in: 0...UInt64.max) }

    /// Calls `body` on a thread that no task waits for.
    package func runBlocking(_ body: @escaping @Sendable () -> Void) { BlockingThreads.files.run(body) }

    /// Calls `body` on a thread that it may block, and waits for its result.
    ///
    /// - Parameters:
    ///   - patience: How long a cancelled task still waits. Then `body` ends by itself, whatever holds it up.
    ///   - other: The result if nobody waits any more.
    ///   - body: The work.
    /// - Returns: The result of `body`, or `other`.
    package func blocking<Result: Sendable>(
        patience: Duration = .zero,
        ifCancelled other: Result,
        _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        let result = Awaited<Result>()
        runBlocking { result.fulfil(body()) }
        return await result.value(ifCancelled: other, after: patience, by: clock)
    }
}

extension BlockingThreads {
    // Each question to a person may keep a thread until it is answered.
    /// The threads for what an application does when it is called: it may ask a person, and wait for the answer.
    static let application = BlockingThreads(maximumCount: 128)
}

/// What happens on a connection.
package enum PeerConnectionEvent: Sendable {
    /// The peer has proved its id; the first event of every connection that is not refused before.
    ///
    /// The certificate is in DER form.
    case opened(PeerID, certificate: [UInt8])
    /// A frame has come; pings and pongs are handled below.
    case frame(Frame)
    /// The bytes that came are not of this protocol; no frame follows.
    case invalid(ProtocolError)
    /// The peer does not encrypt, and has to be told this; no frame follows.
    case encryptionMismatch(Failure)
}

/// What becomes of a connection that a session has accepted, and that carries no link.
package enum ConnectionHandover: Sendable {
    /// It is a lane, if a transfer expects this secret from this peer.
    case lane(ConnectionSecret, PeerID?, ConversationEnvironment.Place)
    /// It carries a resource, if somebody expects this secret from its peer.
    case attachment(ConnectionSecret, ConversationStateMachine, ConversationEnvironment.Place)
}

/// An encrypted connection to a peer, over which frames go.
package protocol PeerConnection: ConversationConnection {
    /// Receives events, one at a time and in order, until the connection is closed; closes it when the task is cancelled.
    ///
    /// Called once. The preface is sent as soon as the connection is open.
    func run(_ handle: @escaping @Sendable (PeerConnectionEvent) async -> Void) async

    /// Sends a ping and waits for its pong.
    ///
    /// - Returns: How long it took; nil if the connection was closed before.
    func roundTrip() async -> Duration?

    /// Hands the connection over while an event is handled; what comes next does not come here any more.
    func handOver(_ handover: ConnectionHandover)

    /// Passes the frames of a link that arrive together to `take`, as soon as all earlier events are handled.
    ///
    /// It takes all of them or none; those that it does not take are events. A connection that does not do this passes events only.
    func passLinkFrames(to take: @escaping @Sendable ([Frame]) -> Bool)
}

extension PeerConnection {
    /// Every frame is an event.
    package func passLinkFrames(to take: @escaping @Sendable ([Frame]) -> Bool) {}

    /// Closes the connection: nobody takes it.
    package func handOver(_ handover: ConnectionHandover) { abort() }
}
