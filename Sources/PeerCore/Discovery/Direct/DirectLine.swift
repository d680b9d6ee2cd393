import Glibc
import HostNetwork
import NIOCore

/// An interface over which machines are asked with one IP version, and which of their addresses count.
struct DirectLine: Sendable {
    /// The maximum number of lines; each costs a packet for every machine of a network, and a socket.
    private static let maximumCount = 32

    /// The name of the interface, such as `wlan0`.
    var interface: String
    /// The number of the interface.
    var index: UInt32
    /// Whether it is for IPv6 instead of IPv4.
    var isIPv6: Bool
    /// The networks of the interface.
    var networks: LocalNetworks
    /// The addresses of this machine on all interfaces.
    var own: Set<IPAddress>

    /// Returns the lines of interfaces, those of hardware first.
    ///
    /// No line leads into a tunnel, where the daemon does not ask either, or to containers on this machine.
    static func all(of interfaces: [HostInterface]) -> [DirectLine] {
        let own = Set(interfaces.flatMap(\.addresses).map(\.address))
        let usable = interfaces.filter {
            $0.has(IFF_MULTICAST) && !$0.has(IFF_LOOPBACK) && !$0.has(IFF_POINTOPOINT) && !$0.addresses.isEmpty
        }
        let ranked = usable.map { (InterfaceRank(of: $0.name), $0) }.filter { $0.0 < .virtual }.sorted { $0.0 < $1.0 }
        let lines = ranked.flatMap { _, interface in
            [false, true].compactMap { isIPv6 -> DirectLine? in
                let addresses = interface.addresses.filter { $0.address.isIPv6 == isIPv6 }
                guard !addresses.isEmpty else { return nil }
                let networks = addresses.map {
                    LocalNetworks.Interface($0.address, prefixLength: $0.prefixLength, scope: interface.index)
                }
                return DirectLine(
                    interface: interface.name,
                    index: interface.index,
                    isIPv6: isIPv6,
                    networks: LocalNetworks(networks),
                    own: own
                )
            }
        }
        return Array(lines.prefix(maximumCount))
    }

    /// Whether an address can be that of another machine on the network of the interface.
    func reaches(_ address: SocketAddress) -> Bool {
        networks.contains(address) && address.host.map { !own.contains($0) } == true
    }
}
