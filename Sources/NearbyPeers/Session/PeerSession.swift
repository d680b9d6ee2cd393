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
///         for try await text in typedLines { try await session.send(ChatLine(text: text)).get() }
///         group.cancelAll()
///     }
/// }
/// ```
///
/// Use a session only while ``withPeerSession(_:environment:isolation:_:)-(_,_,_,(PeerSession)->Result)`` runs its body.
public final class PeerSession: Sendable {
    let hub: SessionHub
    let states: PeerStates
    let inboxes: Inboxes
    let configuration: Configuration

    init(_ configuration: Configuration, _ transport: any PeerTransport) throws(PeerError) {
        self.configuration = configuration
        self.inboxes = Inboxes(
            messages: try Self.versions(configuration.messages.map { $0 as any PeerValue.Type }),
            requests: try Self.versions(configuration.requests.map { $0 as any PeerValue.Type }),
            patience: configuration.buffers.readerPatience
        )
        self.states = PeerStates(local: configuration.local, logger: configuration.logger)
        self.hub = try SessionHub(configuration, transport, states, inboxes)
    }

    private static func versions(_ types: [any PeerValue.Type]) throws(PeerError) -> [String: UInt16] {
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

    package init(_ transport: any PeerTransport) { self.transport = transport }
}
