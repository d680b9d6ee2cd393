import NIOCore
import PeerCore

/// A program of a machine, as it sees a network in memory.
struct InMemoryTransport: PeerTransport {
    let network: InMemoryNetwork
    let machine: String

    var clock: any PeerClock { network.clock }
    var discovery: any DiscoveryBackend { InMemoryDiscovery(network: network, machine: machine) }
    var executor: (any TaskExecutor)? { network.serialExecutor }
    var applicationExecutor: (any TaskExecutor)? { network.isRepeatable ? network.serialExecutor : nil }

    func random() -> UInt64 { network.random() }

    /// Calls `body` on the executor of the network, so time stands still until it returns.
    func runBlocking(_ body: @escaping @Sendable () -> Void) { network.serialExecutor.execute(body) }

    func ownAddresses(port: Int) -> [String] {
        guard let address = try? network.address(of: machine, port: port), let host = address.ipAddress else {
            return []
        }
        return [PeerAddress(host: host, port: port).text]
    }

    /// One network; several programs of a machine share its address.
    var networks: LocalNetworks {
        let address = try? network.address(of: machine, port: 1)
        let interface = address.flatMap { LocalNetworks.Interface($0, prefixLength: 24) }
        return LocalNetworks(interface.map { [$0] } ?? [], reachesItself: true)
    }

    func withListener(
        local: LocalPeer,
        port: Int,
        configuration: ConnectionConfiguration,
        incarnation: Incarnation,
        admission: Admission,
        accept: @escaping @Sendable (any PeerConnection, _ number: Int) async -> Void,
        body: @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let (connections, arrivals) = AsyncStream.makeStream(of: InMemoryConnection.self)
        let listener = InMemoryListener(local: local, configuration: configuration, arrivals: arrivals)
        guard (0...65_535).contains(port) else {
            throw PeerError(.invalidArgument, "\(port) is not a port.", remedy: "Ports go from 0 to 65535.")
        }
        guard let port = network.add(listener, on: machine, port: port) else {
            throw PeerError(
                .cannotListen,
                "Port \(port) is in use by another program.",
                remedy: "Choose another port."
            )
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: network.serialExecutor) {
                await withDiscardingTaskGroup { accepted in
                    var number = 0
                    for await connection in connections {
                        listener.took(connection)
                        number += 1
                        let end: @Sendable () -> Void = { connection.abort() }
                        guard admission.connected(number, from: connection.addressKey, end: end) else {
                            connection.abort()
                            continue
                        }
                        accepted.addTask { [number] in
                            await accept(connection, number)
                            connection.close()
                            _ = admission.ended(number, .unasked, at: clock.now)
                        }
                    }
                    accepted.cancelAll()
                }
            }
            defer {
                network.removeListener(on: machine, port: port)
                listener.stop()
                group.cancelAll()
            }
            try await body(port)
        }
    }

    func connect(
        local: LocalPeer,
        to addresses: [SocketAddress],
        expecting: ExpectedPeer?,
        configuration: ConnectionConfiguration
    ) async throws(PeerError) -> any PeerConnection {
        // Time stands still between the steps, whichever side connects.
        try await withTaskExecutorPreference(network.serialExecutor, isolation: nil) { () async throws(PeerError) in
            try await open(local, addresses, expecting, configuration) { $0.accept($1) }
        }
    }

    /// Opens a connection, and hands its other side over.
    func open(
        _ local: LocalPeer,
        _ addresses: [SocketAddress],
        _ expecting: ExpectedPeer?,
        _ configuration: ConnectionConfiguration,
        _ handOver: (InMemoryListener, InMemoryConnection) -> Void
    ) async throws(PeerError) -> InMemoryConnection {
        var refusal = PeerError(.cannotConnect, "The other machine does not answer.")
        var isSilent = false
        for address in addresses {
            switch network.answer(at: address, to: machine) {
            case .refused:
                break
            case .silence:
                isSilent = true
            case .accepted(let listener, let other):
                if let error = listener.refusal(of: local, expecting: expecting) {
                    refusal = error
                    continue
                }
                let delay = network.delay(from: machine, to: other)
                guard delay * 2 <= configuration.connectTimeout else {
                    isSilent = true
                    continue
                }
                // One round trip opens a connection, and one secures it.
                try await wait(delay * 4)
                if let connection = try open(to: listener, on: other, at: address, local, configuration, handOver) {
                    return connection
                }
            }
        }
        if isSilent, refusal.code == .cannotConnect { try await wait(configuration.connectTimeout) }
        throw refusal
    }

    /// Opens a connection to a listener; nil if the listener cannot be reached any more.
    private func open(
        to listener: InMemoryListener,
        on other: String,
        at address: SocketAddress,
        _ local: LocalPeer,
        _ configuration: ConnectionConfiguration,
        _ handOver: (InMemoryListener, InMemoryConnection) -> Void
    ) throws(PeerError) -> InMemoryConnection? {
        guard case .accepted(let current, _) = network.answer(at: address, to: machine), current === listener else {
            return nil
        }
        let ownAddress: SocketAddress
        do {
            ownAddress = try network.address(of: machine, port: network.nextPort())
        } catch {
            throw PeerError(.cannotConnect, "This machine has no address.", cause: error)
        }
        let sides = InMemoryConnection.open(
            network,
            local.application,
            from: (try party(machine, ownAddress, local), configuration),
            to: (try party(other, address, listener.local), listener.configuration)
        )
        handOver(listener, sides.accepted)
        return sides.connecting
    }

    private func party(
        _ machine: String,
        _ address: SocketAddress,
        _ local: LocalPeer
    ) throws(PeerError) -> InMemoryConnection.Party {
        InMemoryConnection.Party(
            machine: machine,
            address: address,
            id: local.id,
            certificate: try local.identity.certificateBytes
        )
    }

    private func wait(_ duration: Duration) async throws(PeerError) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw PeerError(.cancelled, "The connection attempt was stopped.", cause: error)
        }
    }
}
