import HostNetwork
package import NIOCore
package import PeerCore

/// Examines this machine, its networks and the ways to other machines, and reports the obstacles.
///
/// An examination changes nothing. On the network it asks for peers with multicast DNS, publishes a service without
/// meaning for a moment, and opens a TCP connection to each peer that it finds, which it closes at once.
package struct Examination: Sendable {
    /// A machine that a person named.
    package struct Destination: Sendable {
        /// What to call it.
        package var name: String
        /// Its addresses.
        package var addresses: [SocketAddress]

        package init(name: String, addresses: [SocketAddress]) {
            self.name = name
            self.addresses = addresses
        }
    }

    /// How long the search for peers lasts.
    package static let searchTime: Duration = .seconds(3)
    /// How long the daemon may take to publish a service and to find it on all interfaces; usually a second is enough.
    private static let publishingTime: Duration = .seconds(4)
    /// How long a multicast packet may take to come back to this machine.
    private static let echoTime: Duration = .milliseconds(500)
    /// How long the daemon may take to answer a short examination, for which a person waits.
    private static let shortReadyTime: Duration = .milliseconds(400)
    /// The maximum number of peers to which connections are tested.
    private static let maximumPeers = 16
    /// The maximum number of addresses of a peer that are tested.
    ///
    /// A machine on the network can announce any number.
    private static let maximumAddresses = 6

    private let application: PeerServiceType
    private let storePath: String

    /// Creates an examination.
    ///
    /// - Parameters:
    ///   - application: The application of the peers.
    ///   - storePath: The folder in which data are stored.
    package init(application: PeerServiceType, storePath: String) {
        self.application = application
        self.storePath = storePath
    }

    /// Examines whether this machine can connect at all; sends nothing.
    ///
    /// - Returns: The obstacles.
    package static func hintsForConnecting() -> [Finding] {
        NetworkChecks.findings(on: MachineFacts.read()).filter { $0.severity >= .warning }
    }

    /// Examines within a second whether discovery works on this machine, without a search for peers.
    ///
    /// - Returns: The obstacles.
    package func hintsForDiscovery() async -> [Finding] {
        let machine = MachineFacts.read()
        let state = await AvahiExamination.state(within: Self.shortReadyTime)
        let avahi = AvahiFacts(isInstalled: AvahiExamination.isInstalled, state: state)
        var findings = NetworkChecks.findings(on: machine) + DiscoveryChecks.findings(of: avahi, on: machine)
        if state == .running {
            let multicast = await MulticastProbe.run(
                on: machine.usableInterfaces,
                for: application,
                during: Self.echoTime,
                endsWithEchoes: true
            )
            findings += DiscoveryChecks.findings(of: multicast, on: machine)
        }
        return findings.filter { $0.severity >= .warning }
    }

    /// Examines everything: this machine, discovery, and the ways to all peers.
    ///
    /// - Parameter destination: The only machine to which the way is examined; nil for all peers nearby.
    /// - Returns: The findings, and this machine's address on the way to the destination, if it is known.
    package func run(to destination: Destination? = nil) async -> (findings: [Finding], ownAddress: String?) {
        let machine = MachineFacts.read()
        let usable = machine.usableInterfaces
        let canDiscover = !usable.isEmpty
        async let heard = MulticastProbe.run(on: usable, for: application, during: Self.searchTime)
        async let daemon = AvahiExamination.run(expecting: Set(usable.map(\.name)), within: Self.publishingTime)
        async let found = canDiscover && destination == nil ? peers() : []
        let (multicast, avahi, peers) = (await heard, await daemon, await found)
        let multicastFindings = DiscoveryChecks.findings(of: multicast, on: machine)
        let blocked = Set(multicastFindings.filter { $0.severity == .problem }.compactMap(\.interface))
        var findings = NetworkChecks.findings(on: machine)
        findings += DiscoveryChecks.findings(of: avahi, on: machine, blocked: blocked)
        findings += multicastFindings
        findings += FirewallChecks.findings(of: machine.firewall, port: application.defaultPort ?? 0)
        findings += ClockChecks.findings(of: ClockFacts(reading: storePath))
        findings += StorageChecks.findings(of: StoreFacts(reading: storePath))
        let ways = WayExamination(machine: machine, voices: multicast.voices)
        var ownAddress: String?
        if let destination {
            let (more, source) = await self.findings(to: destination, ways, machine)
            findings += more
            ownAddress = source
        } else if canDiscover, avahi.state == .running {
            findings += await self.findings(to: peers, ways, machine)
        }
        return (Weighing.weighed(findings), ownAddress)
    }

    private func peers() async -> [DiscoveredPeer] {
        let browser = PeerBrowser(
            serviceType: application,
            backend: AvahiDiscovery(within: Self.searchTime)
        )
        return (try? await browser.collect(for: Self.searchTime)) ?? []
    }

    private func findings(
        to peers: [DiscoveredPeer],
        _ examination: WayExamination,
        _ machine: MachineFacts
    ) async -> [Finding] {
        // A sender on this machine proves nothing about the network. All of its addresses are those of this machine.
        let others = peers.filter { peer in
            !peer.addresses.allSatisfy { $0.host.map(machine.has) ?? false }
        }
        guard !others.isEmpty else { return [PeerChecks.noPeers] }
        return await withTaskGroup(of: (Int, Finding).self) { group in
            for (index, peer) in others.prefix(Self.maximumPeers).enumerated() {
                group.addTask {
                    let addresses = peer.addresses.prefix(Self.maximumAddresses).map { ($0, peer.interfaceNames.first) }
                    let facts = PeerFacts(
                        name: PeerFacts.quoted(peer.displayName),
                        ways: await examination.ways(to: Array(addresses))
                    )
                    return (index, PeerChecks.finding(of: facts, on: machine, isAnnounced: true))
                }
            }
            var results: [(Int, Finding)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func findings(
        to destination: Destination,
        _ examination: WayExamination,
        _ machine: MachineFacts
    ) async -> (findings: [Finding], source: String?) {
        let addresses = destination.addresses.prefix(Self.maximumAddresses)
        let ways = await examination.ways(to: addresses.map { ($0, nil) })
        let source = (ways.first(where: \.isAccepted) ?? ways.first)?.source?.description
        let facts = PeerFacts(name: destination.name, ways: ways)
        let finding = PeerChecks.finding(of: facts, on: machine, isAnnounced: false)
        let open = addresses.first { address in ways.contains { $0.isAccepted && $0.text == address.displayText } }
        guard finding.code == .peerReached, let open else { return ([finding], source) }
        do {
            try await AddressProbe.probe(at: open, application: application)
            return ([finding], source)
        } catch let error as PeerError where error.code != .encryptionMismatch {
            return ([PeerChecks.otherProgram(destination.name, at: open.displayText)], source)
        } catch {
            return ([finding], source)
        }
    }
}

extension MachineFacts {
    /// Reads what is known of this machine without looking at the network.
    package static func read() -> MachineFacts {
        let interfaces = Interfaces.read()
        return MachineFacts(
            interfaces: interfaces,
            radios: Radios.read(),
            localRoutes: Routes.localRoutes(of: interfaces),
            internetInterface: Routes.internetInterface(of: interfaces),
            firewall: Firewall.active()
        )
    }
}
