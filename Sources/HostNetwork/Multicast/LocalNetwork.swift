import Glibc

/// An interface that leads to a local network over IPv4, with the addresses of this machine there.
package struct LocalNetwork: Hashable, Sendable {
    /// The name of the interface, such as `wlan0`.
    package var interface: String
    /// The kernel's number of the interface.
    package var index: UInt32
    /// The addresses of this machine, all of IPv4.
    package var addresses: [HostInterface.Address]

    package init(interface: String, index: UInt32, addresses: [HostInterface.Address]) {
        (self.interface, self.index, self.addresses) = (interface, index, addresses)
    }

    /// Reads the networks that may lead to the machines of other people: not into tunnels, and not to containers on this machine.
    package static func all() -> [LocalNetwork] {
        read { interface in
            guard !interface.has(IFF_LOOPBACK), interface.has(IFF_UP), interface.has(IFF_RUNNING),
                interface.has(IFF_MULTICAST)
            else { return false }
            let rank = InterfaceRank(of: interface.name)
            return rank == .hardware || rank == .other
        }
    }

    /// Reads the network of programs on this machine, for tests.
    package static func loopback() -> [LocalNetwork] { read { $0.has(IFF_LOOPBACK) } }

    private static func read(_ isWanted: (HostInterface) -> Bool) -> [LocalNetwork] {
        HostInterface.all().compactMap { interface in
            let addresses = interface.addresses.filter { !$0.address.isIPv6 && $0.state == .ready }
            guard !addresses.isEmpty, isWanted(interface) else { return nil }
            return LocalNetwork(interface: interface.name, index: interface.index, addresses: addresses)
        }
    }

    /// Whether this machine has an address in this network.
    package func has(_ address: IPAddress) -> Bool { addresses.contains { $0.address == address } }

    /// Whether an address can be that of a machine in this network.
    package func contains(_ address: IPAddress) -> Bool {
        guard address.isOfOneMachine else { return false }
        return addresses.contains { own in
            if own.address == address { return true }
            guard address.isInNetwork(of: own.address, prefixLength: own.prefixLength) else { return false }
            // Networks of two addresses have neither a name nor a broadcast address (RFC 3021).
            return own.prefixLength >= 31
                || !address.isFirst(inNetworkOf: own.prefixLength) && !address.isLast(inNetworkOf: own.prefixLength)
        }
    }
}
