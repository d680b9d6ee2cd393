import HostNetwork

extension Routes {
    /// An address in the internet (of a network for documentation, RFC 5737); nothing is sent to it.
    private static let faraway = IPAddress(bytes: [203, 0, 113, 1])

    /// Returns, for each network of the interfaces, the interface over which the kernel sends to a neighbour.
    static func localRoutes(of interfaces: [InterfaceFacts]) -> [MachineFacts.LocalRoute] {
        // The kernel sends what is for this machine itself over no interface.
        let taken = Set(interfaces.flatMap(\.addresses).map(\.address))
        return interfaces.filter(\.isUsable).flatMap { interface in
            interface.readyAddresses.compactMap { own -> MachineFacts.LocalRoute? in
                guard !own.address.isLinkLocal, let neighbour = neighbour(of: own, except: taken) else { return nil }
                let way = way(to: neighbour)
                let used = interfaces.first { $0.index == way?.interface }
                return MachineFacts.LocalRoute(
                    interface: interface.name,
                    network: "\(own.address)/\(own.prefixLength)",
                    used: used?.name
                )
            }
        }
    }

    /// Returns the interface that leads to the internet; nil if there is none.
    static func internetInterface(of interfaces: [InterfaceFacts]) -> String? {
        guard let faraway, let way = way(to: faraway) else { return nil }
        return interfaces.first { $0.index == way.interface }?.name
    }

    /// Returns another address in the network of an address, which is none of some; nil if there is none close to it.
    static func neighbour(of own: HostInterface.Address, except taken: Set<IPAddress> = []) -> IPAddress? {
        var bytes = own.address.bytes
        guard let last = bytes.last, own.prefixLength <= own.address.bitCount - 2 else { return nil }
        // Of the three addresses that differ from the own one in the last two bits, at least one is not at an edge of
        // the network.
        for change: UInt8 in [1, 2, 3] {
            bytes[bytes.count - 1] = last ^ change
            guard let other = IPAddress(bytes: bytes), !taken.contains(other),
                !other.isFirst(inNetworkOf: own.prefixLength),
                !other.isLast(inNetworkOf: own.prefixLength)
            else { continue }
            return other
        }
        return nil
    }
}
