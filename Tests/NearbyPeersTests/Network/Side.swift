import Logging
import NIOCore
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// One side of a connection, which remembers what it hears.
final class Side: Sendable {
    let connection: any PeerConnection
    private let heard = Locked<[PeerConnectionEvent]>([])
    private let ended = Locked(false)

    init(_ connection: any PeerConnection) {
        self.connection = connection
    }

    /// The frames that it has heard, in order.
    var frames: [Frame] {
        heard.value.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    var events: [PeerConnectionEvent] { heard.value }

    /// What was wrong with the bytes that it has heard.
    var errors: [ProtocolError] {
        heard.value.compactMap { if case .invalid(let error) = $0 { error } else { nil } }
    }

    var hasEnded: Bool { ended.value }

    func run() async {
        await connection.run { event in self.heard.withLock { $0.append(event) } }
        ended.set(true)
    }
}

/// Two machines of a network, anna and ben, of which ben listens.
struct Machines: Sendable {
    let network: InMemoryNetwork
    let anna: LocalPeer
    let ben: LocalPeer
    var configuration = ConnectionConfiguration()

    init(_ network: InMemoryNetwork = InMemoryNetwork()) throws {
        self.network = network
        anna = try network.local("anna", application: .notes)
        ben = try network.local("ben", application: .notes)
    }

    /// Lets a side listen, and another connect to it, and waits until both are open.
    func withConnection(_ body: @escaping @Sendable (_ anna: Side, _ ben: Side) async throws -> Void) async throws {
        let accepted = AsyncStream.makeStream(of: Side.self)
        try await listen { connection, _ in
            let side = Side(connection)
            accepted.continuation.yield(side)
            await side.run()
        } body: { port in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let side = Side(try await connect(to: port))
                group.addTask(executorPreference: network.executor) { await side.run() }
                for await other in accepted.stream {
                    try await wait { !side.events.isEmpty && !other.events.isEmpty }
                    try await body(side, other)
                    break
                }
                group.cancelAll()
            }
        }
    }

    /// Of the program that listens.
    var admission: Admission { Admission(configuration, shareToken: nil, logger: Logger(label: "test")) }

    func listen(
        port: Int = 0,
        accept: @escaping @Sendable (any PeerConnection, Int) async -> Void = { connection, _ in
            await Side(connection).run()
        },
        body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await network.transport(for: "ben").withListener(
            local: ben,
            port: port,
            configuration: configuration,
            incarnation: .random(),
            admission: admission,
            accept: accept,
            body: body
        )
    }

    func connect(to port: Int, expecting: ExpectedPeer? = nil) async throws -> any PeerConnection {
        try await network.transport(for: "anna").connect(
            local: anna,
            to: [try network.address(of: "ben", port: port)],
            expecting: expecting,
            configuration: configuration
        )
    }

    /// Waits, without moving time, until a condition holds.
    func wait(
        until condition: @escaping @Sendable () -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await network.clock.advance(until: condition, limit: .zero, fileID: fileID, line: line)
    }
}

extension PeerServiceType {
    static let notes = PeerServiceType(known: "notes")
    static let maps = PeerServiceType(known: "maps")
}

extension Frame {
    /// A frame with a certain number of bytes on the wire.
    static func bytes(_ length: Int, of value: UInt8 = 0) -> Frame {
        // The wire format, "Frames".
        let header = 8
        return .record(Record(.bytes, payload: ByteBuffer(repeating: value, count: max(0, length - header))))
    }

    static func hello(_ local: LocalPeer) -> Frame {
        .hello(
            Hello(
                application: local.application.name,
                peerID: local.id,
                displayName: local.displayName,
                platform: local.platform,
                software: local.software,
                role: .dialer,
                encryption: .required,
                maximumResourceSize: 0,
                features: []
            )
        )
    }
}
