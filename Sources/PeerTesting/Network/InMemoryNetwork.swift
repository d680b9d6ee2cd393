import NIOConcurrencyHelpers
import NIOCore
public import NearbyPeers
public import PeerCore

/// A network in memory, for the tests of applications: no sockets, no daemon, and a clock that a test moves.
///
/// A machine exists as soon as it is named. Machines find one another and connect without delay and without a limit of
/// the rate, unless a test sets them.
public final class InMemoryNetwork: Sendable {
    struct State {
        var topology = Topology()
        var announcements = Announcements()
        var identities: [String: PeerIdentity] = [:]
        /// The machines, by the last part of their addresses.
        var machines: [String] = []
        var listeners: [Endpoint: InMemoryListener] = [:]
        var lastPort = 49_151
        var connections: [Int: InMemoryConnection] = [:]
        var lastConnection = 0
        var trace = CircularBuffer<TraceEntry>()
    }

    /// A port of a machine.
    struct Endpoint: Hashable {
        var machine: String
        var port: Int
    }

    /// The number of frames that the trace keeps.
    static let maximumTraceCount = 10_000

    /// The clock of the network, which stands still until it is moved.
    public let clock: ManualClock
    let serialExecutor = NetworkExecutor()
    let attachments = InMemoryAttachments()
    let state = NIOLockedValueBox(State())

    /// The random numbers, if everything happens in the same way each time.
    private let generator: RepeatableGenerator?

    var isRepeatable: Bool { generator != nil }

    /// Creates a network without machines.
    public init() {
        clock = ManualClock(executor: serialExecutor)
        generator = nil
    }

    /// Creates a network on which everything happens in the same way each time.
    ///
    /// All tasks of the test must prefer ``executor`` and wait for nothing else than the network and its clock. The clock is moved
    /// with ``ManualClock/run(for:)``.
    package init(seed: UInt64) {
        clock = ManualClock(executor: serialExecutor)
        generator = RepeatableGenerator(seed: seed)
    }

    /// Returns a random number.
    func random() -> UInt64 { generator?.next() ?? .random(in: 0...UInt64.max) }

    /// Runs the tasks of the library, one at a time.
    ///
    /// The clock never moves while a task that prefers this executor has something to do.
    public var executor: any TaskExecutor { serialExecutor }

    /// Describes a machine.
    ///
    /// The same name has the same key, whatever the application.
    ///
    /// - Parameters:
    ///   - name: The name of the machine.
    ///   - displayName: The name that people see; nil for that of the machine. Several machines may have the same, as an impostor has.
    ///   - application: The application.
    /// - Returns: The description, for a session.
    /// - Throws: `PeerError` with `PeerError.Code.identity` if the key cannot be created.
    public func local(
        _ name: String,
        displayName: String? = nil,
        application: PeerServiceType
    ) throws -> LocalPeer {
        let identity = try state.withLockedValue { state in
            if let identity = state.identities[name] { return identity }
            let identity =
                isRepeatable ? try PeerIdentity.known(by: name, for: application) : try .generate(for: application)
            state.identities[name] = identity
            return identity
        }
        return LocalPeer(
            application: application,
            identity: identity,
            displayName: displayName ?? name,
            software: "PeerTesting"
        )
    }

    /// Gives a machine a key.
    package func use(_ identity: PeerIdentity, for machine: String) {
        state.withLockedValue { $0.identities[machine] = identity }
    }

    /// The network as a program of a machine sees it.
    ///
    /// ```swift
    /// let network = InMemoryNetwork()
    /// try await withPeerSession(configuration, environment: network.machine("anna")) { session in … }
    /// ```
    public func machine(_ name: String) -> PeerEnvironment { PeerEnvironment(transport(for: name)) }

    /// Connects a program of a machine with this network.
    ///
    /// Several programs of a machine share its address; each listens on ports of its own.
    package func transport(for name: String) -> any PeerTransport {
        InMemoryTransport(network: self, machine: name)
    }

    /// Separates groups of machines from one another, until ``heal()``.
    ///
    /// Machines that are in no common group neither find nor reach one another. Connections between them fall silent for ever,
    /// as with ``cut(_:_:silently:)``. A machine can be in several groups. Machines that are in no group are one more group.
    public func partition(_ groups: [Set<String>]) {
        let separated = state.withLockedValue { state in
            state.topology.partition(groups)
            state.updateAnnouncements()
            return state.sides(where: { !state.topology.areJoined($0, $1) })
        }
        for connection in separated { connection.fallSilent() }
    }

    /// Prevents a machine from opening connections to another one, until ``heal()``.
    ///
    /// Open connections stay.
    public func block(from sender: String, to receiver: String) {
        state.withLockedValue { $0.topology.block(from: sender, to: receiver) }
    }

    /// Ends partition and blocks.
    ///
    /// Connections that have fallen silent stay so.
    public func heal() {
        state.withLockedValue { state in
            state.topology.heal()
            state.updateAnnouncements()
        }
    }

    /// Ends all connections between two machines, and loses everything that has not arrived.
    ///
    /// - Parameters:
    ///   - one: A machine.
    ///   - other: The other machine.
    ///   - silently: Whether neither side notices: no byte arrives any more, as if the cable were out, and each side keeps its
    ///     connection until it closes it.
    public func cut(_ one: String, _ other: String, silently: Bool = false) {
        let between = state.withLockedValue { state in
            state.sides(where: { Set([$0, $1]) == [one, other] })
        }
        for connection in between {
            if silently { connection.fallSilent() } else { connection.breakDown() }
        }
    }

    /// Sets the time that bytes take from one machine to another.
    ///
    /// A new connection takes four times as long. Bytes that are under way are not affected.
    public func setDelay(_ delay: Duration) {
        state.withLockedValue { $0.topology.delay = max(.zero, delay) }
    }

    /// Sets the number of bytes per second that two machines can send to one another, each way; nil for no bound.
    ///
    /// All connections between them share it.
    public func setRate(_ bytesPerSecond: Int?, between one: String, _ other: String) {
        state.withLockedValue { $0.topology.setRate(bytesPerSecond, between: one, other) }
    }

    /// The last 10,000 frames that have arrived, in order.
    public var trace: [TraceEntry] { state.withLockedValue { Array($0.trace) } }
}

extension InMemoryNetwork.State {
    mutating func updateAnnouncements() {
        let topology = topology
        announcements.update { topology.areJoined($0, $1) }
    }

    /// The sides of connections between certain machines, the oldest first.
    fileprivate func sides(where isBetween: (String, String) -> Bool) -> [InMemoryConnection] {
        connections.sorted { $0.key < $1.key }.map(\.value).filter { isBetween($0.machine, $0.otherMachine) }
    }
}
