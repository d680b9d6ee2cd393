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

    /// Accepts connections while `body`, which gets the port, runs; all accepted connections are closed when it returns.
    ///
    /// `accept` is called in a task of its own for each admitted connection, with the number under which the admission knows it; it
    /// must run the connection with ``PeerConnection/run(_:)``.
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
    func connect(
        local: LocalPeer,
        to addresses: [SocketAddress],
        expecting: ExpectedPeer?,
        configuration: ConnectionConfiguration
    ) async throws(PeerError) -> any PeerConnection

    /// Carries a resource of a session over a connection of its own.
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

    /// Calls `body` on a thread that it may block, and waits for its result; a cancelled task waits for `patience` only.
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
