package import PeerProtocol

/// The listener of a program that offers transfers and keeps sessions, on one port.
///
/// The first frames of a connection decide what becomes of it: an invitation to a session, or the terms of a link, belong to a
/// session; everything else belongs to the sender, lanes and what is wrong included. The sender's ``Admission`` counts both.
///
/// A program that only offers transfers needs no desk, and one that only keeps sessions has a ``NetworkTransport``.
package struct FrontDesk: Sendable {
    /// Runs the session of a connection until it is closed.
    ///
    /// The events of the connection begin with its opening and the peer's hello. This side's hello has been sent; the session
    /// may send its own, which is then left out. The admission knows the connection by its number. The result is how far the
    /// peer came.
    package typealias Session =
        @Sendable (
            _ connection: any PeerConnection, _ number: Int, _ admission: Admission
        ) async -> VisitReports.Visit

    /// The listening socket, for the desk's sender.
    package let listener: PeerListener
    /// The attached connections that sessions expect.
    let attachments: AttachmentBook

    /// Listens while `body` runs.
    ///
    /// - Parameters:
    ///   - local: This machine.
    ///   - host: The address to listen on; nil for all addresses of this machine.
    ///   - port: The port; 0 for any free port.
    ///   - configuration: The limits and timers; the sender and the sessions have the same.
    ///   - incarnation: Which run of the program this is.
    ///   - body: Uses the desk.
    /// - Returns: The result of `body`.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotListen``; the error of `body`.
    package static func with<Result: Sendable>(
        local: LocalPeer,
        host: String? = nil,
        port: Int = 0,
        configuration: SessionConfiguration = SessionConfiguration(),
        incarnation: Incarnation,
        body: (FrontDesk) async throws -> Result
    ) async throws -> Result {
        try await with(
            local: local,
            host: host,
            port: port,
            configuration: configuration,
            incarnation: incarnation,
            attachments: AttachmentBook(),
            body: body
        )
    }

    /// Listens as ``with(local:host:port:configuration:incarnation:body:)`` does, for whoever expects attached connections.
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
