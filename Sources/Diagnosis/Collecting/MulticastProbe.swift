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
            line.socket = MulticastSocket(on: line.interface.index, isIPv6: line.isIPv6)
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

/// A socket for multicast DNS (RFC 6762) on one interface with one IP version.
///
/// The socket receives only packets to the group on that interface. It does not disturb the daemon, which listens on
/// the same port: each socket gets a copy of a packet to a group.
struct MulticastSocket {
    /// A packet of the group.
    struct Packet {
        var source: IPAddress
        var bytes: [UInt8]
    }

    /// The outcome of an attempt to send.
    enum Sending {
        case sent
        case forbidden
        case failed
    }

    static let port: UInt16 = 5353
    private static let groupOfIPv4 = IPAddress("224.0.0.251")
    private static let groupOfIPv6 = IPAddress("ff02::fb")
    private static let hops: CInt = 255

    /// From linux/in.h and linux/in6.h: switches off packets to groups that other sockets have joined.
    private static let allGroupsOfIPv4: CInt = 49
    private static let allGroupsOfIPv6: CInt = 29

    /// The descriptor; the owner closes it.
    let descriptor: CInt
    private let group: IPAddress
    private let interface: UInt32

    /// Opens a socket; nil if the system does not permit it.
    init?(on interface: UInt32, isIPv6: Bool) {
        guard let group = isIPv6 ? Self.groupOfIPv6 : Self.groupOfIPv4 else { return nil }
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.group = group
        self.interface = interface
        guard isIPv6 ? joinIPv6() : joinIPv4() else {
            close(descriptor)
            return nil
        }
    }

    private func joinIPv4() -> Bool {
        var membership = ip_mreqn()
        membership.imr_ifindex = CInt(clamping: interface)
        var outgoing = membership
        withUnsafeMutableBytes(of: &membership.imr_multiaddr) { $0.copyBytes(from: group.bytes) }
        return set(SOL_SOCKET, SO_REUSEADDR, CInt(1)) && bindToGroup()
            && set(CInt(IPPROTO_IP), Self.allGroupsOfIPv4, CInt(0))
            && set(CInt(IPPROTO_IP), IP_MULTICAST_TTL, Self.hops)
            && set(CInt(IPPROTO_IP), IP_MULTICAST_LOOP, CInt(1))
            && set(CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, &membership)
            && set(CInt(IPPROTO_IP), IP_MULTICAST_IF, &outgoing)
    }

    private func joinIPv6() -> Bool {
        var membership = ipv6_mreq()
        membership.ipv6mr_interface = interface
        withUnsafeMutableBytes(of: &membership.ipv6mr_multiaddr) { $0.copyBytes(from: group.bytes) }
        let level = CInt(IPPROTO_IPV6)
        return set(SOL_SOCKET, SO_REUSEADDR, CInt(1)) && set(level, IPV6_V6ONLY, CInt(1)) && bindToGroup()
            && set(level, IPV6_MULTICAST_HOPS, Self.hops) && set(level, IPV6_MULTICAST_LOOP, CInt(1))
            && set(level, IPV6_MULTICAST_IF, CInt(clamping: interface)) && set(level, IPV6_JOIN_GROUP, &membership)
            && setIfKnown(level, Self.allGroupsOfIPv6, CInt(0))
    }

    /// Sends a packet to the group.
    func send(_ bytes: [UInt8]) -> Sending {
        let (count, error) = group.withSocketAddress(port: Self.port, scope: interface) { address, length in
            let count = sendto(descriptor, bytes, bytes.count, 0, address, length)
            return (count, errno)
        }
        if count == bytes.count { return .sent }
        return count < 0 && (error == EPERM || error == EACCES) ? .forbidden : .failed
    }

    /// Returns the next packet that has arrived; nil if there is none.
    func receive(into buffer: inout [UInt8]) -> Packet? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let (count, source) = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let count = recvfrom(descriptor, &buffer, buffer.count, 0, address, &length)
                return (count, IPAddress(UnsafePointer(address)))
            }
        }
        guard count > 0, let source else { return nil }
        return Packet(source: source, bytes: Array(buffer[..<count]))
    }

    private func bindToGroup() -> Bool {
        group.withSocketAddress(port: Self.port, scope: interface) { bind(descriptor, $0, $1) } == 0
    }

    private func set<Value>(_ level: CInt, _ option: CInt, _ value: inout Value) -> Bool {
        withUnsafeBytes(of: &value) { setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) } == 0
    }

    private func set(_ level: CInt, _ option: CInt, _ value: CInt) -> Bool {
        var value = value
        return set(level, option, &value)
    }

    /// Sets an option; a kernel that does not know the option is no error.
    private func setIfKnown(_ level: CInt, _ option: CInt, _ value: CInt) -> Bool {
        set(level, option, value) || errno == ENOPROTOOPT
    }
}
