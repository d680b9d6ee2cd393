import Glibc
import HostNetwork
import PeerCore

/// The sockets of a service that answers questions, and the connections that it makes to answer them.
struct ViewAnswering {
    /// The socket of one interface and IP version.
    private struct Line {
        var interface: InterfaceFacts
        var isIPv6: Bool
        var socket: MulticastSocket
    }

    /// A machine that has asked, and a connection to it.
    private struct Knock {
        var asker: MulticastFacts.Voice
        /// The port from which it has asked.
        var port: UInt16
        var question: ViewQuestion
        var connection: CountedConnection
    }

    /// The maximum number of sockets, which all wait in one poll(2).
    private static let maximumLines = 32
    /// The maximum number of packets that are read of a socket at once.
    private static let maximumPackets = 16
    /// How often the connections are looked at, in milliseconds.
    private static let slice: CInt = 50

    private let port: UInt16
    private let ownPort: UInt16
    private let application: PeerServiceType
    private let tell: @Sendable (String, PeerView) -> Void
    private var machine = MachineFacts()
    private var lines: [Line] = []
    private var knocks: [Knock] = []
    private var responder: ViewResponder
    // One byte more shows that a packet is too long.
    private var buffer = [UInt8](repeating: 0, count: ViewPacket.maximumLength + 1)

    init(
        port: UInt16,
        ownPort: UInt16,
        application: PeerServiceType,
        tell: @escaping @Sendable (String, PeerView) -> Void
    ) {
        (self.port, self.ownPort, self.application, self.tell) = (port, ownPort, application, tell)
        responder = ViewResponder(port: port)
    }

    /// Closes all sockets.
    mutating func close() {
        for line in lines { Glibc.close(line.socket.descriptor) }
        for knock in knocks { knock.connection.close() }
        (lines, knocks) = ([], [])
    }

    /// Listens on those of the interfaces that lead to local networks.
    mutating func listen(on interfaces: [InterfaceFacts]) {
        guard interfaces != machine.interfaces else { return }
        machine = MachineFacts(interfaces: interfaces)
        for line in lines { Glibc.close(line.socket.descriptor) }
        lines = machine.multicastLines.prefix(Self.maximumLines).compactMap { interface, isIPv6 in
            MulticastSocket(.listener, on: interface.index, isIPv6: isIPv6).map {
                Line(interface: interface, isIPv6: isIPv6, socket: $0)
            }
        }
    }

    /// Waits for packets and answers them; returns true as soon as another descriptor can be read.
    mutating func waitAndAnswer(orUntil other: CInt) -> Bool {
        var waiting = ([other] + lines.map(\.socket.descriptor)).map {
            pollfd(fd: $0, events: CShort(POLLIN), revents: 0)
        }
        _ = poll(&waiting, nfds_t(waiting.count), knocks.isEmpty ? -1 : Self.slice)
        for (line, ready) in zip(lines, waiting.dropFirst()) where ready.revents != 0 {
            for _ in 0..<Self.maximumPackets {
                guard let packet = line.socket.receive(into: &buffer) else { break }
                guard let question = ViewQuestion(parsing: packet.bytes, for: application) else { continue }
                hear(
                    question,
                    MulticastFacts.Voice(interface: line.interface.name, address: packet.source),
                    packet.port
                )
            }
        }
        for index in knocks.indices.reversed() {
            guard let outcome = knocks[index].connection.outcome() else { continue }
            let knock = knocks.remove(at: index)
            knock.connection.close()
            let back = PeerView.Back(outcome)
            responder.knocked(at: knock.asker, back)
            answer(knock.question, knock.asker, knock.port, back)
        }
        return waiting[0].revents != 0
    }

    private mutating func hear(_ question: ViewQuestion, _ asker: MulticastFacts.Voice, _ port: UInt16) {
        switch responder.asked(question, by: asker, on: machine, at: .now) {
        case .ignore: break
        case .answer(let back): answer(question, asker, port, back ?? missingWay(to: asker))
        case .wait:
            guard let index = knocks.firstIndex(where: { $0.asker == asker }) else { return }
            (knocks[index].question, knocks[index].port) = (question, port)
        case .knock:
            let scope = asker.address.needsZone ? machine.interface(asker.interface)?.index ?? 0 : 0
            let way = Routes.way(to: asker.address, over: scope)
            let target = ConnectionProbe.Target(address: asker.address, port: ownPort, scope: scope)
            let interface = machine.interfaces.first { $0.index == way?.interface }?.name ?? asker.interface
            let connection = CountedConnection(to: target, over: interface)
            knocks.append(Knock(asker: asker, port: port, question: question, connection: connection))
        }
    }

    /// Says that this machine has no way to one that it hears, as where its own network is narrower; nil if it has one.
    private func missingWay(to asker: MulticastFacts.Voice) -> PeerView.Back? {
        guard machine.interface(asker.interface)?.isOnLink(asker.address) == false else { return nil }
        return Routes.way(to: asker.address) == nil ? .noRoute : nil
    }

    private mutating func answer(
        _ question: ViewQuestion,
        _ asker: MulticastFacts.Voice,
        _ port: UInt16,
        _ back: PeerView.Back?
    ) {
        let line = lines.first { $0.interface.name == asker.interface && $0.isIPv6 == asker.address.isIPv6 }
        guard let line else { return }
        let view = PeerView(
            arrivals: PeerView.Arrivals(of: asker.address, in: TCPConnections.read(port: self.port)),
            back: back,
            hardwareAddress: line.interface.hardwareAddress
        )
        if responder.isNews(view, to: asker) {
            tell(asker.address.needsZone ? "\(asker.address)%\(asker.interface)" : "\(asker.address)", view)
        }
        let bytes = ViewAnswer(nonce: question.nonce, addresses: question.own(on: machine), view: view)
            .bytes(for: application)
        _ = line.socket.send(bytes)
        // Some networks lose what is sent to all.
        if line.interface.isOnLink(asker.address) {
            // One that gets lost is made up for by the next question.
            _ = asker.address.withSocketAddress(
                port: port,
                scope: asker.address.isLinkLocal || !asker.address.isOfOneMachine ? line.interface.index : 0
            ) { sendto(line.socket.descriptor, bytes, bytes.count, 0, $0, $1) }
        }
    }
}

extension PeerView.Back {
    /// Creates it from the outcome of a connection.
    init(_ outcome: CountedConnection.Outcome) {
        self =
            switch outcome {
            case .opened, .refused: .reached
            case .silent: .silent
            case .kept: .kept
            case .noRoute: .noRoute
            }
    }
}

extension MachineFacts {
    /// The interfaces on which packets are sent to all machines of a local network, once for each IP version that they have.
    var multicastLines: [(interface: InterfaceFacts, isIPv6: Bool)] {
        usableInterfaces.filter(\.hasMulticast).flatMap { interface in
            [false, true].filter { isIPv6 in interface.addresses.contains { $0.address.isIPv6 == isIPv6 } }
                .map { (interface, $0) }
        }
    }
}
