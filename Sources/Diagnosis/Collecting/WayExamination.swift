import HostNetwork
import NIOCore
import PeerCore

/// Finds out whether the addresses of other machines can be reached, and if not, how far packets get.
struct WayExamination {
    /// How long a connection may take: as long as a receiver waits.
    ///
    /// The kernel needs three seconds to find out that a neighbour does not answer.
    private static let connectionTime = ConnectionConfiguration.patientConnectTimeout
    /// How long the connection to the best address may take before the other addresses are tried.
    private static let firstConnectionTime: Duration = .milliseconds(300)
    /// How long the kernel may take to check a neighbour that it knows from earlier.
    private static let checkingTime: Duration = .milliseconds(2500)
    private static let checkingInterval: Duration = .milliseconds(100)
    /// The maximum number of addresses.
    private static let maximumCount = 128

    /// This machine.
    var machine: MachineFacts
    /// The machines that were heard during the search for peers.
    var voices: Set<MulticastFacts.Voice>
    /// The application of the peers.
    var application: PeerServiceType

    /// Examines the ways to the addresses of a machine.
    ///
    /// - Parameter addresses: The addresses, the best first, each with the interface on which it was announced, if it was.
    /// - Returns: The ways in the order of the addresses, without unusable addresses; only the first way if the peer
    ///   answers there.
    func ways(to addresses: [(address: SocketAddress, interface: String?)]) async -> [WayFacts] {
        let usable = addresses.prefix(Self.maximumCount).compactMap { target in
            way(to: target.address, announcedOn: target.interface).map { ($0, target.address) }
        }
        var ways = usable.map(\.0)
        let targets = ways.map { way in
            ConnectionProbe.Target(
                address: way.address,
                port: UInt16(clamping: way.port),
                scope: way.address.needsZone ? machine.interface(way.interface)?.index ?? 0 : 0
            )
        }
        // The best address usually answers. Then the other machine gets one connection instead of many.
        let first = await ConnectionProbe.run(Array(targets.prefix(1)), within: Self.firstConnectionTime)
        if let connection = first.first, let (_, address) = usable.first {
            ways[0].connection = await knock(at: address, after: connection)
            if ways[0].isAccepted { return Array(ways.prefix(1)) }
        }
        let connections = await ConnectionProbe.run(targets, within: Self.connectionTime)
        await withTaskGroup(of: (Int, WayFacts.Connection).self) { group in
            for (index, (connection, (_, address))) in zip(connections, usable).enumerated() {
                group.addTask { (index, await knock(at: address, after: connection)) }
            }
            for await (index, connection) in group { ways[index].connection = connection }
        }
        await judgeNeighbours(&ways)
        return ways
    }

    /// Describes the ways to addresses to which a program has just tried to connect.
    func ways(after unanswered: UnansweredConnection) async -> [WayFacts] {
        var ways = unanswered.outcomes.prefix(Self.maximumCount).compactMap { address, outcome in
            var way = way(to: address, announcedOn: nil)
            way?.connection =
                switch outcome {
                case .silent: .silent
                case .speechless: .speechless
                case .failed(let error): ConnectionProbe.outcome(of: error)
                case .otherProgram: .otherProgram
                }
            return way
        }
        await judgeNeighbours(&ways)
        return ways
    }

    /// Begins an encrypted connection where a connection has opened: an open port alone proves no peer, and large packets
    /// may get lost.
    private func knock(at address: SocketAddress, after connection: WayFacts.Connection) async -> WayFacts.Connection {
        guard case .accepted = connection else { return connection }
        do {
            try await AddressProbe.probe(at: address, application: application)
            return connection
        } catch let error as PeerError {
            return switch error.code {
            // A peer that does not encrypt has answered.
            case .encryptionMismatch: connection
            case .timedOut, .cannotConnect: .speechless
            default: .otherProgram
            }
        } catch {
            return connection
        }
    }

    private func way(to address: SocketAddress, announcedOn announced: String?) -> WayFacts? {
        guard let own = address.host, let port = address.port else { return nil }
        let scope = HostInterface.name(of: address.scopeIndex)
        let isOnEveryLink = own.needsZone
        let route = Routes.way(to: own, over: isOnEveryLink ? address.scopeIndex : 0)
        let used = machine.interfaces.first { $0.index == route?.interface }
        let network = isOnEveryLink ? machine.interface(scope) : machine.usableInterfaces.first { $0.isOnLink(own) }
        let isHeard = voices.contains { $0.address == own && (!isOnEveryLink || $0.interface == scope) }
        return WayFacts(
            address: own,
            port: port,
            text: address.displayText,
            interface: isOnEveryLink ? scope : used?.name,
            source: route?.source,
            network: network?.name ?? (isOnEveryLink ? announced : nil),
            connection: .silent,
            isHeard: isHeard
        )
    }

    /// Finds out whether the machines that did not answer are in the network.
    ///
    /// The connections have just made the kernel look for these machines.
    private func judgeNeighbours(_ ways: inout [WayFacts]) async {
        let deadline = ContinuousClock.now + Self.checkingTime
        while !Task.isCancelled {
            let entries = Neighbour.all()
            var isInDoubt = false
            for index in ways.indices where ways[index].isUnanswered {
                let interface = machine.interface(ways[index].interface)?.index
                guard
                    let entry = entries.first(where: { $0.address == ways[index].address && $0.interface == interface })
                else {
                    // A firewall of this machine drops packets before the kernel asks where the other machine is.
                    let isUsable = machine.interface(ways[index].network)?.isUsable == true
                    if isUsable, ways[index].network == ways[index].interface { ways[index].neighbour = .unasked }
                    continue
                }
                ways[index].neighbour = entry.state
                isInDoubt = isInDoubt || entry.isBeingChecked
            }
            guard isInDoubt, ContinuousClock.now < deadline else { return }
            try? await Task.sleep(for: Self.checkingInterval)
        }
    }
}

extension WayFacts {
    /// Whether no packet of the other machine proves that this one reaches it.
    ///
    /// A firewall of this machine may refuse a connection itself.
    package var isUnanswered: Bool { [.silent, .unreachable, .refused, .rejected].contains(connection) }
}
