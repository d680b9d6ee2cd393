import Glibc
import HostNetwork
import LocalSend

/// Looks whether packets to the group of LocalSend come back to this machine, and whether the port of LocalSend is free.
enum LocalSendProbe {
    /// How long a packet may take to come back.
    private static let echoTime: Duration = .milliseconds(500)
    /// How long each wait for packets lasts, in milliseconds, before a cancelled task is noticed.
    private static let slice: CInt = 50
    private static let maximumLines = 32
    /// The maximum number of packets that are read of a socket at once.
    private static let maximumPackets = 64

    /// Sends a packet that says nothing on each interface, and waits for it.
    static func run(on networks: [LocalNetwork], in group: MulticastGroup = usualGroup) async -> LocalSendFacts {
        // No device understands it.
        let packet = Array("{\"probe\":\"\(UInt64.random(in: .min ... .max))\"}".utf8)
        return await BlockingWork.run { isCancelled in
            var lines: [(network: LocalNetwork, socket: MulticastSocket, fate: MulticastFacts.Echo.Fate)] = []
            for network in networks.prefix(maximumLines) {
                let source = network.addresses.first?.address
                guard let socket = MulticastSocket(.listener, on: network.index, isIPv6: false, in: group, from: source)
                else { continue }
                switch socket.send(packet) {
                case .sent: lines.append((network, socket, .lost))
                case .forbidden: lines.append((network, socket, .forbidden))
                case .failed: lines.append((network, socket, .untested))
                }
            }
            defer { for line in lines { line.socket.close() } }
            var buffer = [UInt8](repeating: 0, count: packet.count + 1)
            let start = ContinuousClock.now
            while !isCancelled(), ContinuousClock.now - start < echoTime, lines.contains(where: { $0.fate == .lost }) {
                var waiting = lines.map { pollfd(fd: $0.socket.descriptor, events: CShort(POLLIN), revents: 0) }
                guard poll(&waiting, nfds_t(waiting.count), slice) > 0 else { continue }
                for index in lines.indices {
                    for _ in 0..<maximumPackets {
                        guard let heard = lines[index].socket.receive(into: &buffer) else { break }
                        if heard.bytes == packet { lines[index].fate = .returned }
                    }
                }
            }
            let echoes = lines.map {
                MulticastFacts.Echo(interface: $0.network.interface, isIPv6: false, fate: $0.fate)
            }
            return LocalSendFacts(echoes: echoes, isPortTaken: isTaken(LocalSendLimits.usualPort))
        }
    }

    /// The group of all devices.
    static let usualGroup = MulticastGroup(ofIPv4: LocalSendLimits.group, port: LocalSendLimits.usualPort)

    /// Returns whether a program listens on a TCP port of this machine.
    static func isTaken(_ port: UInt16) -> Bool {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0, let any = IPAddress(bytes: [0, 0, 0, 0]) else { return false }
        defer { close(socket) }
        // Connections that have ended do not count.
        var on: CInt = 1
        _ = setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        return any.withSocketAddress(port: port) { bind(socket, $0, $1) != 0 && errno == EADDRINUSE }
    }
}

extension Examination {
    /// Looks whether phones with LocalSend are found, and find this machine.
    package static func phones() async -> LocalSendFacts { await LocalSendProbe.run(on: LocalNetwork.all()) }
}
