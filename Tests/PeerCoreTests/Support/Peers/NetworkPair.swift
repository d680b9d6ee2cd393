import Foundation
import Logging
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// Two machines that connect to each other over loopback, through a ``NetworkTransport``.
struct NetworkPair: Sendable {
    var listening = ConnectionConfiguration()
    var connecting = ConnectionConfiguration()
    let listener: LocalPeer
    let connector: LocalPeer
    /// Of the listener.
    var admission: Admission { Admission(listening, shareToken: nil, logger: Logger(label: "test")) }

    init() throws {
        listener = try Self.peer("Listener")
        connector = try Self.peer("Connector")
        // Hundreds of tests share the processors. Those that are about a timer set it themselves.
        for configuration in [\Self.listening, \Self.connecting] {
            self[keyPath: configuration].allowPatience()
        }
    }

    private static func peer(_ name: String) throws -> LocalPeer {
        let identity = try PeerIdentity.generate(for: .hikeshare)
        return LocalPeer(application: .hikeshare, identity: identity, displayName: name, software: "test 1")
    }

    /// The network, without discovery.
    static var transport: NetworkTransport {
        var transport = NetworkTransport(discovery: InMemoryDiscovery { _ in [] })
        transport.host = "127.0.0.1"
        return transport
    }

    /// Connects to an address.
    func connect(
        to address: SocketAddress,
        expecting expected: ExpectedPeer? = nil
    ) async throws(PeerError) -> ConnectionEnd {
        ConnectionEnd(
            try await Self.transport.connect(
                local: connector,
                to: [address],
                expecting: expected,
                configuration: connecting
            )
        )
    }

    /// Listens while `body` runs, and handles each connection with `accept`.
    func accepting(
        admittedBy admission: Admission? = nil,
        with accept: @escaping @Sendable (any PeerConnection, Int) async -> Void,
        _ body: @Sendable (SocketAddress) async throws -> Void
    ) async throws {
        try await Self.transport.withListener(
            local: listener,
            port: 0,
            configuration: listening,
            incarnation: .random(),
            admission: admission ?? self.admission,
            accept: accept,
            body: { try await body(SocketAddress(ipAddress: "127.0.0.1", port: $0)) }
        )
    }

    /// Listens while `body` runs, and runs each connection.
    func accepting(_ body: @Sendable (SocketAddress, AcceptedEnds) async throws -> Void) async throws {
        let ends = AcceptedEnds()
        try await accepting { connection, _ in
            let end = ConnectionEnd(connection)
            ends.add(end)
            await end.run()
        } _: {
            try await body($0, ends)
        }
    }

    /// Runs both ends of one connection while `body` uses them; both are open.
    func connected(
        _ body: @Sendable (_ accepted: ConnectionEnd, _ connecting: ConnectionEnd) async throws -> Void
    ) async throws {
        try await accepting { address, ends in
            let connecting = try await connect(to: address)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await connecting.run() }
                try await connecting.opened()
                let accepted = try await ends.next()
                try await accepted.opened()
                try await body(accepted, connecting)
                group.cancelAll()
            }
        }
    }
}

/// The connections that a listener has accepted.
final class AcceptedEnds: Sendable {
    private let stream: AsyncStream<ConnectionEnd>
    private let continuation: AsyncStream<ConnectionEnd>.Continuation
    private let added = Locked(0)

    /// How many there were.
    var count: Int { added.value }

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func add(_ end: ConnectionEnd) {
        added.withLock { $0 += 1 }
        continuation.yield(end)
    }

    /// Waits for the next connection.
    func next() async throws -> ConnectionEnd {
        for await end in stream { return end }
        throw ScriptError("no connection")
    }

    /// Expects that the next connection does not open, and closes it.
    func expectRefused(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let end = try await next()
        if case .opened = await end.next() { Issue.record("opened", sourceLocation: sourceLocation) }
        end.connection.abort()
    }
}

/// One end of a connection, and the events on it.
final class ConnectionEnd: Sendable {
    let connection: any PeerConnection
    private let stream: AsyncStream<PeerConnectionEvent>
    private let continuation: AsyncStream<PeerConnectionEvent>.Continuation

    init(_ connection: any PeerConnection) {
        self.connection = connection
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// The channel below.
    var channel: any Channel {
        get throws { try #require(connection as? NetworkConnection).frames.channel }
    }

    func run() async {
        await connection.run { [continuation] in continuation.yield($0) }
        continuation.finish()
    }

    /// Waits for the next event; nil at the end of the connection.
    func next() async -> PeerConnectionEvent? {
        for await event in stream { return event }
        return nil
    }

    /// Waits for the connection to open.
    @discardableResult
    func opened() async throws -> (id: PeerID, certificate: [UInt8]) {
        guard case .opened(let id, let certificate) = await next() else { throw ScriptError("not opened") }
        return (id, certificate)
    }

    /// Waits for the next frame; nil if anything else comes.
    func nextFrame() async -> Frame? {
        if case .frame(let frame) = await next() { frame } else { nil }
    }

    /// Sends this side's hello and waits for the other side's.
    func greet() async throws {
        connection.send(.hello(RawPeer.hello(encryption: .required)))
        for await event in stream {
            guard case .frame(.hello) = event else { break }
            return
        }
        throw ScriptError("no hello")
    }
}

extension Frame {
    /// A frame with a number in it.
    static func numbered(_ number: Int) -> Frame {
        .confirmation(Confirmation(resource: number, digest: ContentDigest(hashing: [1])))
    }

    /// A frame that is as long as a control frame may be, or nearly so.
    static let long = Frame.manifest(Data(count: 60_000))
}
