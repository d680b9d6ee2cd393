import HostNetwork
package import NIOCore

/// The networks that this machine is on, and which addresses there may belong to another machine.
///
/// Announcements, share links and members of groups name addresses. A peer must not make this machine connect to machines
/// elsewhere, to itself, or ask name servers: every address that a peer names passes this filter before it is dialed.
package struct LocalNetworks: Sendable {
    /// An address of this machine, and how much of it the machines of its network have in common.
    package struct Interface: Sendable {
        var address: IPAddress
        var prefixLength: Int
        var scope: UInt32

        /// Creates an interface; nil if the address is no IP address.
        package init?(_ address: SocketAddress, prefixLength: Int) {
            guard let host = address.host else { return nil }
            self.init(host, prefixLength: prefixLength, scope: address.scopeIndex)
        }

        /// Creates an interface; only IPv6 link-local addresses have a scope.
        init(_ address: IPAddress, prefixLength: Int, scope: UInt32) {
            self.address = address
            self.prefixLength = prefixLength
            self.scope = address.needsZone ? scope : 0
        }
    }

    /// How many ports of one host are dialed: one, and one that the peer had before it was started again.
    private static let maximumPortCount = 2

    private let interfaces: [Interface]
    private let own: Set<IPAddress>
    private let isOnLoopback: Bool

    package init(_ interfaces: [Interface], reachesItself: Bool = false, isOnLoopback: Bool = false) {
        self.interfaces = interfaces
        self.own = reachesItself ? [] : Set(interfaces.map(\.address))
        self.isOnLoopback = isOnLoopback
    }

    /// Reads the networks of this machine.
    static func ofThisMachine(listeningOn host: String?) -> LocalNetworks {
        let interfaces = HostInterface.all().flatMap { interface in
            interface.addresses.flatMap { own -> [Interface] in
                let near = Interface(own.address, prefixLength: own.prefixLength, scope: interface.index)
                guard let other = own.destination, other != own.address else { return [near] }
                return [near, Interface(other, prefixLength: other.bitCount, scope: interface.index)]
            }
        }
        return LocalNetworks(interfaces, isOnLoopback: host.flatMap { IPAddress($0) }?.isLoopback ?? false)
    }

    /// Returns whether an address may be that of a peer nearby.
    package func contains(_ address: SocketAddress, isLocal: Bool = false) -> Bool {
        guard let host = address.host, let port = address.port, port > 0, host.isOfOneMachine else { return false }
        if host.isLoopback || own.contains(host) { return isLocal || isOnLoopback }
        return interfaces.contains { $0.reaches(host, scope: address.scopeIndex) }
    }

    /// Picks the addresses that are dialed of those that a peer names; of each host, two ports at most.
    package func nearby(_ texts: [String], remote: String) -> [String] {
        let connected = PeerAddress(parsing: remote)?.host
        var counts: [String: Int] = [:]
        return texts.compactMap { text -> String? in
            guard var address = PeerAddress(parsing: text) else { return nil }
            if address.host != connected {
                // A zone has a meaning only on the machine that names it.
                address.host = String(address.host.prefix { $0 != "%" })
                guard let socket = try? SocketAddress(ipAddress: address.host, port: address.port), contains(socket)
                else {
                    return nil
                }
            }
            counts[address.host, default: 0] += 1
            return counts[address.host, default: 0] <= Self.maximumPortCount ? address.text : nil
        }
    }

    /// Picks the addresses that are dialed of those that an announcement names; of each host, two ports at most.
    package func nearby(_ addresses: [SocketAddress], local: [SocketAddress]) -> [SocketAddress] {
        var counts: [IPAddress: Int] = [:]
        return addresses.filter { address in
            guard contains(address, isLocal: local.contains(address)), let host = address.host else { return false }
            counts[host, default: 0] += 1
            return counts[host, default: 0] <= Self.maximumPortCount
        }
    }
}

extension LocalNetworks.Interface {
    /// The shortest prefix of a network; a shorter one is a mistake in the settings of the machine.
    private static let minimumPrefixLength = 8

    fileprivate func reaches(_ other: IPAddress, scope otherScope: UInt32) -> Bool {
        guard prefixLength >= Self.minimumPrefixLength else { return false }
        if scope != 0, otherScope != 0, scope != otherScope { return false }
        guard other.isInNetwork(of: address, prefixLength: prefixLength) else { return false }
        // The last address of a network of IPv4 is its broadcast, unless the network has room for two machines only (RFC 3021).
        return other.isIPv6 || prefixLength >= 31 || !other.isLast(inNetworkOf: prefixLength)
    }
}
