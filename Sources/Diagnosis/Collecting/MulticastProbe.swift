import Glibc
import HostNetwork
import PeerCore

/// Asks for peers with its own multicast DNS packets, and listens for these packets and for answers.
enum MulticastProbe {
    /// The socket of one interface and IP version, and the fate of its packets.
    private struct Line {
        var interface: InterfaceFacts
        var isIPv6: Bool
        var socket: MulticastSocket?
        var fate = MulticastFacts.Echo.Fate.untested
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
    private static let maximumPacketLength = 9000
    /// The maximum number of packets that are read of a socket at once, because any machine can send them without a pause.
    private static let maximumPackets = 64
    /// How long each wait for packets lasts, in milliseconds, before a cancelled task is noticed.
    private static let slice: CInt = 50

    /// Asks on interfaces and listens.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces.
    ///   - serviceType: The kind of service to ask for.
    ///   - time: How long to listen.
    ///   - endsWithEchoes: Whether to stop as soon as all packets have come back.
    /// - Returns: The fate of the packets, and the machines that answered.
    static func run(
        on interfaces: [InterfaceFacts],
        for serviceType: PeerServiceType,
        during time: Duration,
        endsWithEchoes: Bool = false
    ) async -> MulticastFacts {
        let question = question(for: serviceType)
        return await BlockingWork.run { isCancelled in
            var lines = Self.lines(on: interfaces)
            defer { for line in lines { line.socket.map { _ = close($0.descriptor) } } }
            var (voices, announcers): (Set<MulticastFacts.Voice>, Set<MulticastFacts.Voice>) = ([], [])
            var buffer = [UInt8](repeating: 0, count: maximumPacketLength)
            var times = questionTimes[...]
            let start = ContinuousClock.now
            while !isCancelled(), ContinuousClock.now - start < time {
                if let next = times.first, ContinuousClock.now - start >= next {
                    times.removeFirst()
                    for index in lines.indices { ask(question, &lines[index]) }
                }
                var waiting = lines.compactMap { line in
                    line.socket.map { pollfd(fd: $0.descriptor, events: CShort(POLLIN), revents: 0) }
                }
                guard poll(&waiting, nfds_t(waiting.count), slice) > 0 else { continue }
                for index in lines.indices {
                    for _ in 0..<maximumPackets {
                        guard let packet = lines[index].socket?.receive(into: &buffer) else { break }
                        guard let voice = hear(packet, on: &lines[index]), voices.count < maximumVoices else {
                            continue
                        }
                        voices.insert(voice)
                        if names(serviceType, packet.bytes) { announcers.insert(voice) }
                    }
                }
                if endsWithEchoes, lines.allSatisfy({ $0.fate != .lost }) { break }
            }
            let echoes = lines.map { line in
                MulticastFacts.Echo(interface: line.interface.name, isIPv6: line.isIPv6, fate: line.fate)
            }
            return MulticastFacts(echoes: echoes, voices: voices, announcers: announcers)
        }
    }

    private static func lines(on interfaces: [InterfaceFacts]) -> [Line] {
        let lines = interfaces.filter { $0.isUsable && $0.hasMulticast }.flatMap { interface in
            [false, true].compactMap { isIPv6 -> Line? in
                guard interface.addresses.contains(where: { $0.address.isIPv6 == isIPv6 }) else { return nil }
                return Line(interface: interface, isIPv6: isIPv6)
            }
        }
        return lines.prefix(maximumLines).map { line in
            var line = line
            line.socket = MulticastSocket(.listener, on: line.interface.index, isIPv6: line.isIPv6)
            return line
        }
    }

    private static func ask(_ question: [UInt8], _ line: inout Line) {
        switch line.socket?.send(question) {
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

    /// Whether a packet names a type of service; the first mention of a name is not compressed (RFC 1035, section 4.1.4).
    static func names(_ serviceType: PeerServiceType, _ bytes: [UInt8]) -> Bool {
        let name = Array("_\(serviceType.name)".utf8)
        let label = [UInt8(clamping: name.count)] + name
        return bytes.indices.contains { bytes[$0...].starts(with: label) }
    }

    /// Whether a packet is an answer, not a question (RFC 1035, section 4.1.1).
    static func isAnswer(_ bytes: [UInt8]) -> Bool { bytes.count >= 12 && bytes[2] & 0x80 != 0 }

    /// Returns the question for all services of a type (RFC 1035, section 4.1; RFC 6763, section 4).
    static func question(for serviceType: PeerServiceType) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in ["_" + serviceType.name, "_tcp", "local"] {
            bytes.append(UInt8(clamping: label.utf8.count))
            bytes += label.utf8
        }
        // The end of the name; type PTR; class IN.
        return bytes + [0, 0, 12, 0, 1]
    }
}
