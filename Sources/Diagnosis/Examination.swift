import HostNetwork
package import NIOCore
package import PeerCore

/// Examines this machine, its networks and the ways to other machines, and reports the obstacles.
///
/// An examination changes nothing. On the network it asks for peers with multicast DNS, publishes a service without
/// meaning for a moment, and begins an encrypted connection to each peer that it finds, which it closes at once.
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

        /// Whether it is this machine itself.
        func isOwn(of machine: MachineFacts) -> Bool {
            !addresses.isEmpty && addresses.allSatisfy { address in address.host.map(machine.has) ?? false }
        }
    }

    /// How long the search for peers lasts.
    package static let searchTime: Duration = .seconds(3)
    /// How long the daemon may take to publish a service and to find it on all interfaces; usually a second is enough.
    private static let publishingTime: Duration = .seconds(4)
    /// How long a multicast packet may take to come back to this machine.
    private static let echoTime: Duration = .milliseconds(500)
    /// How long to listen for a peer that does not answer; a machine that has just answered others waits a second.
    private static let hearingTime: Duration = .milliseconds(1800)
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

    /// Says why this machine is on no network; nil if it is on one.
    package static func missingNetwork() -> Finding? {
        let machine = MachineFacts.read()
        return machine.usableInterfaces.isEmpty ? NetworkChecks.findings(on: machine).first : nil
    }

    /// Examines within a second whether discovery works on this machine, without a search for peers.
    ///
    /// - Returns: The obstacles.
    package func hintsForDiscovery() async -> [Finding] {
        let machine = MachineFacts.read()
        let avahi = await AvahiExamination.run(within: Self.shortReadyTime)
        var findings = NetworkChecks.findings(on: machine) + DiscoveryChecks.findings(of: avahi, on: machine)
        if avahi.state == .running {
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

    /// Says why no address of a peer has led to it; connects to none of them again.
    ///
    /// - Parameters:
    ///   - unanswered: What happened at the addresses.
    ///   - name: What to call the peer.
    /// - Returns: What stands in the way.
    package func hints(after unanswered: UnansweredConnection, from name: String) async -> [Finding] {
        let machine = MachineFacts.read()
        let obstacles = NetworkChecks.findings(on: machine).filter { $0.severity >= .warning }
        guard obstacles.isEmpty else { return obstacles }
        // A machine whose packets to everybody arrive is in this network, whatever its addresses are.
        let heard = await MulticastProbe.run(on: machine.usableInterfaces, for: application, during: Self.hearingTime)
        let ways = await WayExamination(machine: machine, voices: heard.voices, application: application)
            .ways(after: unanswered)
        var finding = PeerChecks.finding(
            of: PeerFacts(name: name, ways: ways),
            on: machine,
            isAnnounced: ways.contains(where: \.isHeard)
        )
        finding.message = finding.message.prefix(1).uppercased() + finding.message.dropFirst()
        return [finding]
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
        let ways = WayExamination(machine: machine, voices: multicast.voices, application: application)
        var ownAddress: String?
        if let destination, destination.isOwn(of: machine) {
            findings.append(PeerChecks.ownAddress(destination.name))
        } else if let destination {
            let (more, source) = await self.findings(to: destination, ways, machine)
            findings += more
            ownAddress = source
        } else if canDiscover, avahi.state == .running {
            let found = await self.findings(to: peers, ways, machine)
            let announcers = multicast.announcers.map(\.address).filter { !machine.has($0) }
            findings += found.isEmpty ? [DiscoveryChecks.finding(ofPeersNotListed: announcers)] : found
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
        // A peer on this machine proves nothing about the network. Avahi finds it on loopback, too.
        let others = peers.compactMap { peer in
            var other = peer
            other.addresses.removeAll { address in
                peer.localAddresses.contains(address) || address.host.map { $0.isLoopback || machine.has($0) } ?? true
            }
            return other.addresses.isEmpty ? nil : other
        }
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
        return ([PeerChecks.finding(of: facts, on: machine, isAnnounced: false)], source)
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
