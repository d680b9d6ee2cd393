import HostNetwork
package import NIOCore
package import PeerCore

/// Looks at this machine, its networks and the ways to other machines; ``Judgement`` says what the facts mean.
///
/// An examination changes nothing. On the network it asks for peers with multicast DNS, publishes a service without
/// meaning for a moment, and begins an encrypted connection to each peer that it finds, which it closes at once.
package struct Examination: Sendable {
    /// A machine that a person named.
    package struct Destination: Sendable {
        /// What to call it.
        package var name: String
        package var addresses: [SocketAddress]

        package init(name: String, addresses: [SocketAddress]) {
            self.name = name
            self.addresses = addresses
        }
    }

    /// How long the search for peers lasts.
    package static let searchTime: Duration = .seconds(3)
    /// How long after the start the ways to the peers are looked at that were found by then; answers take less than half a second.
    private static let firstPeersTime: Duration = .milliseconds(900)
    /// How long after the start the first questions of a search have left this machine.
    private static let quietStart: Duration = .milliseconds(500)
    /// How long the daemon may take to publish a service and to find it on all interfaces; usually a second is enough.
    private static let publishingTime: Duration = .milliseconds(3500)
    /// How long a multicast packet may take to come back to this machine.
    private static let echoTime: Duration = .milliseconds(500)
    /// How long to listen for a peer that does not answer; a machine that has just answered others waits a second.
    private static let hearingTime: Duration = .milliseconds(1800)
    /// How long the daemon may take to answer a short examination, for which a person waits.
    private static let shortReadyTime: Duration = .milliseconds(400)
    /// The maximum number of peers to which connections are tested.
    private static let maximumPeers = 16

    private let application: PeerServiceType
    private let ownNetwork: @Sendable () async -> OwnNetworkFacts?

    /// Creates an examination.
    ///
    /// - Parameter ownNetwork: Says what Wi-Fi network this machine can make; it takes less than the search.
    package init(
        application: PeerServiceType,
        ownNetwork: @escaping @Sendable () async -> OwnNetworkFacts? = { nil }
    ) {
        (self.application, self.ownNetwork) = (application, ownNetwork)
    }

    /// Looks at this machine alone, and sends nothing.
    package static func here() -> NetworkFacts { NetworkFacts(machine: .read()) }

    /// Looks within a second whether discovery works on this machine, without a search for peers.
    package func discovery() async -> NetworkFacts {
        var facts = Self.here()
        let avahi = await AvahiExamination.run(within: Self.shortReadyTime)
        facts.avahi = avahi
        guard avahi.state == .running else { return facts }
        facts.multicast = await listen(on: facts.machine, for: Self.echoTime, endsWithEchoes: true)
        return facts
    }

    /// Looks why no address of a peer has led to it.
    package func connection(
        after unanswered: UnansweredConnection,
        to name: String,
        _ source: PeerFacts.Source
    ) async -> NetworkFacts {
        var facts = Self.here()
        let machine = facts.machine
        async let own = ownNetwork()
        // A machine whose packets to everybody arrive is in this network, whatever its addresses are.
        async let heard = listen(on: machine, for: Self.hearingTime)
        let ways = WayExamination(machine: machine, application: application)
        var peer = await ways.peer(name, source, after: unanswered)
        let multicast = await heard
        peer.hear(multicast)
        (facts.multicast, facts.peers, facts.ownNetwork) = (multicast, [peer], await own)
        return facts
    }

    /// Looks at everything: this machine, discovery, and the ways to all peers.
    ///
    /// - Parameter destination: The only machine to which the way is examined; nil for all peers nearby.
    package func everything(to destination: Destination? = nil) async -> NetworkFacts {
        var facts = Self.here()
        let machine = facts.machine
        let usable = machine.usableInterfaces
        let canDiscover = !usable.isEmpty
        async let ownNetwork = ownNetwork()
        // The names of the services of this machine.
        var own: Set<String> = []
        async let heard = listen(on: machine, for: Self.searchTime)
        async let daemon = AvahiExamination.run(expecting: Set(usable.map(\.name)), within: Self.publishingTime)
        let ways = WayExamination(machine: machine, application: application)
        var peers: [PeerFacts] = []
        if let destination {
            // The first questions to everybody would count as packets to it.
            try? await Task.sleep(for: Self.quietStart)
            peers = [await ways.peer(destination.name, .named, at: destination.addresses.map { ($0, nil) })]
        } else if canDiscover {
            async let listed = self.peers(for: Self.searchTime, asksDirectly: false)
            peers = await self.peers(examinedBy: ways)
            let all = await listed
            facts.peersOn = Set(Self.others(all).flatMap(\.interfaceNames))
            own = Set(all.filter { !$0.localAddresses.isEmpty }.map(\.instanceName))
        }
        let avahi = await daemon
        var multicast = await heard
        // A router that passes announcements on repeats what this machine announces.
        multicast.announcers = multicast.announcers.filter { !(multicast.services[$0]?.isSubset(of: own) ?? false) }
        for index in peers.indices { peers[index].hear(multicast) }
        (facts.multicast, facts.avahi, facts.peers, facts.ownNetwork) = (multicast, avahi, peers, await ownNetwork)
        facts.isSearched = destination == nil && canDiscover && avahi.state == .running
        return facts
    }

    private func listen(
        on machine: MachineFacts,
        for time: Duration,
        endsWithEchoes: Bool = false
    ) async -> MulticastFacts {
        let before = MartianCount.read()
        var facts = await MulticastProbe.run(
            on: machine.usableInterfaces,
            for: application,
            during: time,
            endsWithEchoes: endsWithEchoes
        )
        if let before { facts.ownEchoes = MartianCount.read()?.growth(since: before) ?? 0 }
        return facts
    }

    /// Searches for peers, and looks at the ways to them while the search lasts.
    private func peers(examinedBy ways: WayExamination) async -> [PeerFacts] {
        let start = ContinuousClock.now
        let first = await peers(for: Self.firstPeersTime, asksDirectly: true)
        async let examined = examine(first, ways)
        let rest = Self.searchTime - (.now - start)
        let later = first.isEmpty ? await peers(for: rest, asksDirectly: true) : []
        return await examined + examine(later, ways)
    }

    /// Searches for peers with Avahi, and if wished also by questions beside it.
    private func peers(for time: Duration, asksDirectly: Bool) async -> [DiscoveredPeer] {
        let backend = AvahiDiscovery(startTimeout: time, asksDirectly: asksDirectly)
        return (try? await PeerBrowser(serviceType: application, backend: backend).collect(for: time)) ?? []
    }

    /// Returns the peers on other machines.
    ///
    /// A peer on this machine proves nothing about the network. Avahi finds it on loopback, too.
    private static func others(_ peers: [DiscoveredPeer]) -> [DiscoveredPeer] {
        peers.filter { peer in
            peer.socketAddresses.contains { !peer.localAddresses.contains($0) && $0.host?.isLoopback != true }
        }
    }

    private func examine(_ peers: [DiscoveredPeer], _ ways: WayExamination) async -> [PeerFacts] {
        await withTaskGroup(of: (Int, PeerFacts).self) { group in
            for (index, peer) in Self.others(peers).prefix(Self.maximumPeers).enumerated() {
                group.addTask {
                    let addresses = peer.socketAddresses.filter { !peer.localAddresses.contains($0) }
                    let name = PeerFacts.quoted(peer.displayName)
                    let interface = peer.interfaceNames.first
                    return (index, await ways.peer(name, .announced, at: addresses.map { ($0, interface) }))
                }
            }
            var results: [(Int, PeerFacts)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension MachineFacts {
    /// Reads what is known of this machine without looking at the network.
    package static func read() -> MachineFacts {
        let interfaces = Interfaces.read()
        var machine = MachineFacts(
            interfaces: interfaces,
            radios: Radios.read(),
            localRoutes: Routes.localRoutes(of: interfaces),
            internetInterface: Routes.internetInterface(of: interfaces),
            firewall: Firewall.active()
        )
        machine.isFirewallOpened = FirewallMark().isSet
        return machine
    }
}
