import PeerProtocol

/// The listener of a program that keeps sessions.
///
/// The first frames of a connection decide what becomes of it: a lane, an attached connection, or a session, which gets everything
/// else, what is wrong included.
struct FrontDesk: Sendable {
    /// The listening socket.
    let listener: PeerListener
    /// The attached connections that sessions expect.
    let attachments: AttachmentBook

    /// Listens while `body` runs.
    ///
    /// - Parameters:
    ///   - local: This machine.
    ///   - host: The address to listen on; nil for all addresses of this machine.
    ///   - port: The port; 0 for any free port.
    ///   - configuration: The limits and timers.
    ///   - incarnation: Which run of the program this is.
    ///   - attachments: The attached connections that sessions expect.
    ///   - body: Uses the desk.
    /// - Returns: The result of `body`.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotListen``; the error of `body`.
    static func with<Result: Sendable>(
        local: LocalPeer,
        host: String?,
        port: Int,
        configuration: SessionConfiguration,
        incarnation: Incarnation,
        attachments: AttachmentBook,
        body: (FrontDesk) async throws -> Result
    ) async throws -> Result {
        var hello = local.hello(configuration, as: .sender)
        hello.features.append(Hello.sessionsFeature)
        hello.incarnation = incarnation
        let greeting = ListenerGreeting.beforeSession(hello)
        return try await PeerListener.with(
            local,
            host,
            port,
            orAnyFree: false,
            configuration,
            for: .transfer,
            greeting: greeting
        ) { try await body(FrontDesk(listener: $0, attachments: attachments)) }
    }
}

/// Who sends the hello on a connection that a listener has accepted.
enum ListenerGreeting: Sendable {
    /// The session, once it runs.
    case bySession
    /// The connection itself, before it is known which session will run on it.
    case beforeSession(Hello)
}
