public import PeerCore
import PeerProtocol

/// A session of this machine: finds peers, makes links with them, and exchanges messages, requests and streams.
///
/// ```swift
/// try await withPeerSession(configuration) { session in
///     let lines = try session.messages(of: ChatLine.self)
///     try await withThrowingDiscardingTaskGroup { group in
///         group.addTask { try await session.advertise() }
///         group.addTask { for await line in lines { print(session.name(of: line.peer), line.message.text) } }
///         for try await text in typedLines { try await session.send(ChatLine(text: text)) }
///         group.cancelAll()
///     }
/// }
/// ```
///
/// Use a session only while ``withPeerSession(_:environment:_:)`` runs its body.
public final class PeerSession: Sendable {
    let hub: SessionHub
    let states: PeerStates
    let inboxes: Inboxes
    let configuration: Configuration

    init(_ configuration: Configuration, _ transport: any PeerTransport) throws(PeerError) {
        self.configuration = configuration
        self.inboxes = Inboxes(
            messages: try Self.versions(configuration.messages),
            requests: try Self.versions(configuration.requests.map { $0 as any PeerMessage.Type })
        )
        self.states = PeerStates(local: configuration.local, logger: configuration.logger)
        self.hub = try SessionHub(configuration, transport, states, inboxes)
    }

    private static func versions(_ types: [any PeerMessage.Type]) throws(PeerError) -> [String: UInt16] {
        var versions: [String: UInt16] = [:]
        for type in types {
            let name = try LinkName.checked(type.messageName)
            guard let version = UInt16(exactly: type.messageVersion), version > 0 else {
                throw PeerError(.invalidArgument, "The version of “\(name.text)” must be from 1 to 65535.")
            }
            guard versions.updateValue(version, forKey: name.text) == nil else {
                throw PeerError(.invalidArgument, "Two types have the name “\(name.text)”.")
            }
        }
        return versions
    }

    /// This machine.
    public var local: LocalPeer {
        var local = configuration.local
        local.displayName = states.ownName
        return local
    }
}

/// Runs a session for as long as `body` does.
///
/// When this returns, everything that belongs to the session has ended. If the body returns, waiting data is sent for up to 2
/// seconds, and linked peers are told that this machine has left. If the body throws or the task is cancelled, the peers are
/// told at once, and waiting data is lost. The tasks of the application's handlers are cancelled, and the call does not wait
/// for a handler that does not return.
///
/// - Parameters:
///   - configuration: The settings of the session.
///   - environment: The network and the clock; tests use one of their own.
///   - body: Uses the session.
/// - Returns: What `body` returned.
/// - Throws: `PeerError` with `PeerError.Code.cannotListen` or `PeerError.Code.invalidArgument`; what `body` throws.
public func withPeerSession<Result: Sendable>(
    _ configuration: PeerSession.Configuration,
    environment: PeerEnvironment = .system,
    _ body: @Sendable (PeerSession) async throws -> Result
) async throws -> Result {
    let session = try PeerSession(configuration, environment.transport)
    return try await withoutActuallyEscaping(body) { body in
        try await run(session, body)
    }
}

private func run<Result: Sendable>(
    _ session: PeerSession,
    _ body: @escaping @Sendable (PeerSession) async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        let (listening, isListening) = AsyncStream.makeStream(of: Void.self)
        // This is a separate task, so that a session that is cancelled still has a moment to say goodbye.
        let running = Task(executorPreference: session.hub.transport.executor) {
            defer { isListening.finish() }
            try await session.hub.run { isListening.yield() }
        }
        group.addTask {
            try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                session.hub.work.add { await session.hub.leave(telling: "", within: SessionHub.farewellTime) }
            }
            return nil
        }
        group.addTask {
            // If the listener failed, the other task throws the reason.
            guard await listening.first(where: { true }) != nil else { return nil }
            do {
                let result = try await body(session)
                await session.leave()
                return result
            } catch {
                await session.hub.leave(telling: "", within: SessionHub.farewellTime)
                throw error
            }
        }
        var result: Result?
        // The first error ends the other task.
        while let next = try await group.next() { result = next ?? result }
        guard let result else { throw CancellationError() }
        return result
    }
}

/// The environment of a session: the network and time.
///
/// See <doc:TestingAnApplication> for an example.
public struct PeerEnvironment: Sendable {
    package let transport: any PeerTransport

    /// The clock of the sessions, for timers of the application: the system's, or the one that a test moves.
    ///
    /// ```swift
    /// try await environment.clock.sleep(for: .seconds(5))
    /// ```
    public var clock: any Clock<Duration> { transport.clock.standard }

    /// Avahi, TCP with TLS 1.3, and the system's clock.
    public static var system: PeerEnvironment { PeerEnvironment(NetworkTransport()) }

    /// Creates an environment.
    package init(_ transport: any PeerTransport) {
        self.transport = transport
    }
}
