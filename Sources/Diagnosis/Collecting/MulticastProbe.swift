import Glibc
import HostNetwork
import PeerCore

/// Asks for peers with its own multicast DNS packets, and listens for these packets and for answers.
///
/// Each question also goes out so that the answers come by unicast, which arrive where a network loses multicast.
enum MulticastProbe {
    /// The socket of one interface and IP version, and the fate of its packets.
    private struct Line {
        var interface: InterfaceFacts
        var isIPv6: Bool
        var socket: MulticastSocket?
        /// Gets answers by unicast; nil if none are waited for.
        var asker: MulticastSocket?
        var fate = MulticastFacts.Echo.Fate.untested

        var sockets: [MulticastSocket] { [socket, asker].compactMap { $0 } }
    }

    /// The times of the questions, after the start.
    ///
    /// The second question makes up for a lost packet. The third one follows after more than a second, because a
    /// machine that has just answered does not answer again within a second (RFC 6762, section 6).
    private static let questionTimes: [Duration] = [.zero, .milliseconds(300), .milliseconds(1400)]
    /// The maximum number of sockets, which all wait in one poll(2).
    private static let maximumLines = 32
    /// The maximum number of machines that are remembered; any machine on the network can answer under many addresses.
    private static let maximumVoices = 256
    /// The maximum number of packets that are read of a socket at once, because any machine can send them without a pause.
    private static let maximumPackets = 64
    /// How long each wait for packets lasts, in milliseconds, before a cancelled task is noticed.
    private static let slice: CInt = 50

    /// Asks on interfaces and listens.
    static func run(
        on interfaces: [InterfaceFacts],
        for serviceType: PeerServiceType,
        during time: Duration,
        endsWithEchoes: Bool = false
    ) async -> MulticastFacts {
        let type = DNSName(services: serviceType.description)
        // Answers by unicast repeat the number (RFC 6762, section 6.7).
        let id = UInt16.random(in: .min ... .max)
        return await BlockingWork.run { isCancelled in
            var lines = Self.lines(on: interfaces, hearingAnswers: !endsWithEchoes)
            defer { for socket in lines.flatMap(\.sockets) { socket.close() } }
            var facts = MulticastFacts()
            // The names of services that were heard, and those that this machine announces.
            var (heard, own): (Set<String>, Set<String>) = ([], [])
            // The names that machines announce to everybody, and by unicast.
            var (announced, direct): ([MulticastFacts.Voice: Set<String>], [MulticastFacts.Voice: Set<String>]) = (
                [:], [:]
            )
            var buffer = [UInt8](repeating: 0, count: DNSMessage.maximumLength)
            var times = questionTimes[...]
            let start = ContinuousClock.now
            while !isCancelled(), ContinuousClock.now - start < time {
                if let next = times.first, ContinuousClock.now - start >= next {
                    times.removeFirst()
                    for index in lines.indices { ask(type, id, &lines[index]) }
                }
                var waiting = lines.flatMap(\.sockets).map {
                    pollfd(fd: $0.descriptor, events: CShort(POLLIN), revents: 0)
                }
                guard poll(&waiting, nfds_t(waiting.count), slice) > 0 else { continue }
                for index in lines.indices {
                    for _ in 0..<maximumPackets {
                        guard let packet = lines[index].socket?.receive(into: &buffer) else { break }
                        let names = services(of: type, in: packet)
                        if heard.count < maximumVoices { heard.formUnion(names) }
                        guard let voice = hear(packet, on: &lines[index]) else {
                            if own.count < maximumVoices { own.formUnion(names) }
                            continue
                        }
                        guard facts.voices.count < maximumVoices else { continue }
                        facts.voices.insert(voice)
                        announced[voice, default: []].formUnion(names)
                    }
                    for _ in 0..<maximumPackets {
                        guard let packet = lines[index].asker?.receive(into: &buffer) else { break }
                        let interface = lines[index].interface
                        guard isFromAnother(packet, on: interface), direct.count < maximumVoices else { continue }
                        let voice = MulticastFacts.Voice(interface: interface.name, address: packet.source)
                        direct[voice, default: []].formUnion(services(of: type, in: packet, to: id))
                    }
                }
                if endsWithEchoes, lines.allSatisfy({ $0.fate != .lost }) { break }
            }
            facts.echoes = lines.map { line in
                MulticastFacts.Echo(interface: line.interface.name, isIPv6: line.isIPv6, fate: line.fate)
            }
            // A reflector repeats what this machine announces.
            facts.services = announced
            facts.announcers = Set(announced.filter { !$0.value.isSubset(of: own) }.keys)
            // A machine may answer from another of its addresses than it speaks to all from.
            facts.directAnnouncers = Set(direct.filter { !$0.value.isSubset(of: heard) }.keys)
            return facts
        }
    }

    private static func lines(on interfaces: [InterfaceFacts], hearingAnswers: Bool) -> [Line] {
        MachineFacts(interfaces: interfaces).multicastLines.prefix(maximumLines).map { interface, isIPv6 in
            Line(
                interface: interface,
                isIPv6: isIPv6,
                socket: MulticastSocket(.listener, on: interface.index, isIPv6: isIPv6),
                asker: hearingAnswers ? MulticastSocket(.asker, on: interface.index, isIPv6: isIPv6) : nil
            )
        }
    }

    private static func ask(_ type: DNSName, _ id: UInt16, _ line: inout Line) {
        _ = line.asker?.send(DNSMessage.question(.ptr, of: type, id: id))
        switch line.socket?.send(DNSMessage.question(.ptr, of: type)) {
        case .sent where line.fate != .returned: line.fate = .lost
        case .forbidden: line.fate = .forbidden
        case .sent, .failed, nil: break
        }
    }

    /// Returns the machine that has answered; nil for any other packet.
    private static func hear(_ packet: MulticastSocket.Packet, on line: inout Line) -> MulticastFacts.Voice? {
        let isOwn = line.interface.addresses.contains { $0.address == packet.source }
        if isOwn {
            // Any packet of this machine proves that packets come back, whichever program has sent it.
            line.fate = .returned
            return nil
        }
        guard isAnswer(packet.bytes) else { return nil }
        return MulticastFacts.Voice(interface: line.interface.name, address: packet.source)
    }

    /// Whether a packet is an answer, not a question (RFC 1035, section 4.1.1).
    static func isAnswer(_ bytes: [UInt8]) -> Bool { bytes.count >= 12 && bytes[2] & 0x80 != 0 }

    /// Whether a packet comes from multicast DNS of another machine on the network of an interface.
    static func isFromAnother(_ packet: MulticastSocket.Packet, on interface: InterfaceFacts) -> Bool {
        packet.port == MulticastSocket.port && interface.isOnLink(packet.source)
            && !interface.addresses.contains { $0.address == packet.source }
    }

    /// Returns the names of the services of a type in a packet, if it answers the question with a number.
    static func services(of type: DNSName, in packet: MulticastSocket.Packet, to id: UInt16? = nil) -> [String] {
        guard let message = DNSMessage(reading: packet.bytes), message.isAnswer, id == nil || message.id == id else {
            return []
        }
        return AnsweredService.services(of: type, in: message).map(\.name)
    }
}
