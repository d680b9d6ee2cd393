import HostNetwork
import NIOCore
import PeerCore

/// Finds out whether the addresses of other machines can be reached, and if not, how far packets get.
struct WayExamination {
    /// How long connections may take: the kernel needs three seconds to find out that a neighbour does not answer.
    private static let connectionTime: Duration = .milliseconds(3200)
    /// How long they may take where a neighbour did not say at once where it is, as on a slow network.
    private static let patientTime: Duration = .seconds(5)
    /// How long the connection to the best address may take before the other addresses are tried.
    private static let firstConnectionTime: Duration = .milliseconds(300)
    /// How long encryption may take after a connection has opened, with large packets and then with small ones.
    private static let securingTime: Duration = .milliseconds(3900)
    /// How many connections test whether packets get lost, and how long they may take; the kernel repeats a lost packet after a second.
    private static let (lossTests, lossTime): (Int, Duration) = (4, .milliseconds(800))
    /// How long ports where nothing listens may take to answer.
    private static let otherPortsTime: Duration = .milliseconds(1500)
    /// How long the kernel may take to check a neighbour that it knows from earlier.
    private static let checkingTime: Duration = .milliseconds(1400)
    private static let checkingInterval: Duration = .milliseconds(100)
    /// The maximum number of addresses; a machine on the network can announce any number.
    private static let maximumCount = 6
    /// Ports that networks let through for web pages, and one of no meaning; nothing of this program listens there.
    private static let (webPorts, otherPort): ([UInt16], UInt16) = ([443, 80], 64_499)

    var machine: MachineFacts
    var application: PeerServiceType

    /// Examines the ways to the addresses of a machine.
    ///
    /// - Parameter addresses: The addresses, the best first, each with the interface on which it was announced, if it was.
    /// - Returns: The facts; only the first way if the peer answers there.
    func peer(
        _ name: String,
        _ source: PeerFacts.Source,
        at addresses: [(address: SocketAddress, interface: String?)]
    ) async -> PeerFacts {
        let usable = addresses.prefix(Self.maximumCount).compactMap { target in
            way(to: target.address, announcedOn: target.interface).map { ($0, target.address) }
        }
        var facts = PeerFacts(
            name: name,
            source: source,
            ways: usable.map(\.0),
            shared: shared(addresses.map(\.address))
        )
        guard let (_, best) = usable.first else { return facts }
        let targets = facts.ways.map { target(of: $0, port: UInt16(clamping: $0.port)) }
        // The best address usually answers. Then the other machine gets one connection instead of many.
        let first =
            await ConnectionProbe.run(Array(targets.prefix(1)), within: Self.firstConnectionTime).first ?? .silent
        facts.ways[0].connection = await knock(at: best, after: first)
        if case .accepted = first {
            facts.ways = Array(facts.ways.prefix(1))
            // A network that answers in the place of its devices does so at every port.
            if facts.ways[0].connection == .webPage { facts.ways[0].otherPorts = await otherPorts(of: facts.ways[0]) }
            await testLoss(&facts.ways)
            return facts
        }
        let asked = facts
        // What the other machine sees is asked while connections are on their way.
        async let further = further(asked)
        let patience = isLookedFor(facts.ways) ? Self.patientTime : Self.connectionTime
        let connections = await ConnectionProbe.run(targets, within: patience)
        await withTaskGroup(of: (Int, WayFacts.Connection).self) { group in
            for (index, (connection, (_, address))) in zip(connections, usable).enumerated() {
                group.addTask { (index, await knock(at: address, after: connection)) }
            }
            for await (index, connection) in group { facts.ways[index].connection = connection }
        }
        facts.add(await further)
        if facts.ways.contains(where: \.isAccepted) || facts.ways.contains(where: { $0.isKeptBack == true }) {
            return facts
        }
        await judgeNeighbours(&facts.ways)
        await tryAgain(&facts)
        return facts
    }

    /// Whether the kernel still waits for the answer of a neighbour where it is; if none comes, connections end after three seconds.
    private func isLookedFor(_ ways: [WayFacts]) -> Bool {
        let entries = Neighbour.all()
        return ways.contains { way in
            way.network != nil && entries.contains { $0.address == way.address && $0.state == .absent }
        }
    }

    /// Tries the best way once more when nothing else is sent any more: on a very slow network, the packets of an examination push each
    /// other out.
    private func tryAgain(_ facts: inout PeerFacts) async {
        guard facts.view == nil, let index = facts.ways.firstIndex(where: { $0.neighbour == .present }),
            facts.ways[index].connection == .silent, facts.ways[index].otherPorts?.otherAnswers != true
        else { return }
        let target = target(of: facts.ways[index], port: UInt16(clamping: facts.ways[index].port))
        if case .accepted? = await ConnectionProbe.run([target], within: Self.otherPortsTime).first {
            // An open port proves no peer, and encryption would take many times as long.
            (facts.ways[index].connection, facts.ways[index].isLossy) = (.speechless, true)
        }
    }

    /// Describes the ways to addresses to which a program has just tried to connect.
    func peer(_ name: String, _ source: PeerFacts.Source, after unanswered: UnansweredConnection) async -> PeerFacts {
        let ways = unanswered.outcomes.prefix(Self.maximumCount).compactMap { address, outcome in
            var way = way(to: address, announcedOn: nil)
            way?.connection = WayFacts.Connection(outcome)
            return way
        }
        var facts = PeerFacts(
            name: name,
            source: source,
            ways: ways,
            shared: shared(unanswered.outcomes.map(\.address))
        )
        guard !ways.isEmpty else { return facts }
        await testLoss(&facts.ways)
        facts.add(await further(facts))
        await judgeNeighbours(&facts.ways)
        return facts
    }

    /// Finds out whether packets get lost where a connection has opened and brings nothing.
    private func testLoss(_ ways: inout [WayFacts]) async {
        guard let index = ways.firstIndex(where: { $0.connection == .speechless }) else { return }
        let target = target(of: ways[index], port: UInt16(clamping: ways[index].port))
        let targets = [ConnectionProbe.Target](repeating: target, count: Self.lossTests)
        let outcomes = await ConnectionProbe.run(targets, within: Self.lossTime)
        ways[index].isLossy = outcomes.contains { if case .accepted = $0 { false } else { true } }
    }

    /// What else can be found out about ways on which nothing answers.
    struct Further: Sendable {
        var view: PeerView?
        var isKeptBack: Bool?
        var otherPorts: WayFacts.OtherPorts?
        var answersDirectly: Bool?
        /// The way that it is about.
        var address: IPAddress
    }

    private func further(_ peer: PeerFacts) async -> Further? {
        guard let way = peer.ways.first(where: { $0.network != nil }) ?? peer.ways.first else { return nil }
        // A refusal by this machine itself shows only as long as nothing else is sent.
        let kept = way.connection == .refused ? await isKeptBack(way) : nil
        async let views = ViewInquiry.ask(
            peer.ways.map(\.address),
            port: UInt16(clamping: way.port),
            for: application,
            on: machine
        )
        async let ports = otherPorts(of: way)
        async let direct = answersDirectly(way)
        let silent = way.connection == .refused ? nil : await isKeptBack(way)
        let answers = await views
        let view = answers[way.address] ?? answers.values.max { $0.arrivals < $1.arrivals }
        return Further(
            view: view,
            isKeptBack: kept ?? silent,
            otherPorts: await ports,
            answersDirectly: await direct,
            address: way.address
        )
    }

    private func isKeptBack(_ way: WayFacts) async -> Bool? {
        guard let interface = way.interface, way.network == interface else { return nil }
        let target = target(of: way, port: UInt16(clamping: way.port))
        return await KeptBackProbe.run(target.address, port: target.port, scope: target.scope, interface: interface)
    }

    private func answersDirectly(_ way: WayFacts) async -> Bool? {
        guard way.network != nil else { return nil }
        let question = DNSMessage.question(.ptr, of: DNSName(services: application.description))
        let target = target(of: way, port: MulticastSocket.port)
        return await DirectQuestion.isAnswered(question, at: target.address, scope: target.scope)
    }

    private func otherPorts(of way: WayFacts) async -> WayFacts.OtherPorts? {
        guard way.network != nil else { return nil }
        let targets = (Self.webPorts + [Self.otherPort]).map { target(of: way, port: $0) }
        let outcomes = await ConnectionProbe.run(targets, within: Self.otherPortsTime)
        func isOpen(_ outcome: WayFacts.Connection) -> Bool { if case .accepted = outcome { true } else { false } }
        let answers = outcomes.map { isOpen($0) || $0 == .refused }
        return WayFacts.OtherPorts(
            webAnswers: answers.dropLast().contains(true),
            otherAnswers: answers.last == true,
            otherOpens: outcomes.last.map(isOpen) == true
        )
    }

    private func target(of way: WayFacts, port: UInt16) -> ConnectionProbe.Target {
        ConnectionProbe.Target(
            address: way.address,
            port: port,
            scope: way.address.needsZone ? machine.interface(way.interface)?.index ?? 0 : 0
        )
    }

    /// Begins an encrypted connection where a connection has opened: an open port alone proves no peer, and large packets
    /// may get lost.
    private func knock(at address: SocketAddress, after connection: WayFacts.Connection) async -> WayFacts.Connection {
        guard case .accepted(let time, _) = connection else { return connection }
        return await withTaskGroup(of: WayFacts.Connection?.self) { group in
            group.addTask {
                do {
                    let answer = try await AddressProbe.probe(at: address, application: application)
                    return .accepted(time, onlySmallPackets: answer.usesSmallSegments)
                } catch {
                    return WayFacts.Connection(securing: error) ?? connection
                }
            }
            group.addTask {
                // Setting up encryption takes twice as long as opening a connection, and another connection is opened for it.
                try? await Task.sleep(for: max(Self.securingTime, time * 5))
                return .speechless
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        } ?? .speechless
    }

    private func way(to address: SocketAddress, announcedOn announced: String?) -> WayFacts? {
        guard let other = address.host, let port = address.port, !machine.has(other) else { return nil }
        let scope = HostInterface.name(of: address.scopeIndex)
        let isOnEveryLink = other.needsZone
        let route = Routes.way(to: other, over: isOnEveryLink ? address.scopeIndex : 0)
        let used = machine.interfaces.first { $0.index == route?.interface }
        let network = isOnEveryLink ? machine.interface(scope) : machine.usableInterfaces.first { $0.isOnLink(other) }
        return WayFacts(
            address: other,
            port: port,
            text: address.displayText,
            interface: isOnEveryLink ? scope : used?.name,
            source: route?.source,
            network: network?.name ?? (isOnEveryLink ? announced : nil),
            connection: .silent
        )
    }

    /// Returns which of some addresses this machine has itself.
    private func shared(_ addresses: [SocketAddress]) -> [PeerFacts.SharedAddress] {
        addresses.compactMap(\.host).flatMap { address in
            machine.interfaces.flatMap { interface in
                interface.addresses.filter { $0.address == address }.map { own in
                    PeerFacts.SharedAddress(address: address, prefixLength: own.prefixLength, interface: interface.name)
                }
            }
        }
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
                (ways[index].neighbour, ways[index].hardwareAddress) = (entry.state, entry.hardwareAddress)
                isInDoubt = isInDoubt || entry.isBeingChecked
            }
            guard isInDoubt, ContinuousClock.now < deadline else { return }
            try? await Task.sleep(for: Self.checkingInterval)
        }
    }
}
