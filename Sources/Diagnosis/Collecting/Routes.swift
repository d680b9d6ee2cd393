import Glibc

/// The ways of packets, as the kernel decides them, with all its tables and rules.
enum Routes {
    /// A decision of the kernel.
    struct Way: Hashable {
        /// The number of the interface.
        var interface: UInt32
        /// The address of this machine that a connection gets.
        var source: IPAddress?
    }

    // From linux/rtnetlink.h: the request, its attributes, and the type of a route to another machine.
    private static let request: UInt16 = 26
    private static let destination: UInt16 = 1
    private static let outgoing: UInt16 = 4
    private static let preferredSource: UInt16 = 7
    private static let headerLength = 12
    private static let unicast: UInt8 = 1

    /// An address in the internet (of a network for documentation, RFC 5737); nothing is sent to it.
    private static let faraway = IPAddress(bytes: [203, 0, 113, 1])

    /// Returns the way to an address; nil if there is none, or if the address is this machine's.
    ///
    /// An IPv6 link-local address needs its interface.
    static func way(to address: IPAddress, over interface: UInt32 = 0) -> Way? {
        var header = [UInt8](repeating: 0, count: headerLength)
        header[0] = UInt8(address.isIPv6 ? AF_INET6 : AF_INET)
        header[1] = UInt8(address.bytes.count * 8)
        var body = header + Netlink.attribute(destination, address.bytes)
        if interface > 0 { body += Netlink.attribute(outgoing, withUnsafeBytes(of: interface) { Array($0) }) }
        return Netlink.ask(request, body, isDump: false)?.first.flatMap { way($0.body) }
    }

    /// Reads a route.
    static func way(_ body: [UInt8]) -> Way? {
        // rtmsg: family, lengths, type of service, table, protocol, scope, type, flags.
        guard body.count >= headerLength, body[7] == unicast else { return nil }
        let attributes = Netlink.attributes(in: body.dropFirst(headerLength))
        guard let interface = attributes[outgoing]?.number(UInt32.self, at: 0), interface > 0 else { return nil }
        return Way(interface: interface, source: attributes[preferredSource].flatMap { IPAddress(bytes: $0) })
    }

    /// Returns the ways to neighbours in the networks of interfaces.
    static func localRoutes(of interfaces: [InterfaceFacts]) -> [MachineFacts.LocalRoute] {
        interfaces.filter(\.isUsable).flatMap { interface in
            interface.addresses.compactMap { own -> MachineFacts.LocalRoute? in
                guard !own.address.isLinkLocal, let neighbour = neighbour(of: own) else { return nil }
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

    /// Returns another address in the network of an address; nil if the network has no room for one.
    static func neighbour(of own: InterfaceFacts.Address) -> IPAddress? {
        var bytes = own.address.bytes
        let bits = bytes.count * 8
        guard let last = bytes.last, own.prefixLength <= bits - 2 else { return nil }
        // With one of the last two bits changed, it is not the first or last address of the network if the own one is not.
        for change: UInt8 in [1, 2, 3] {
            bytes[bytes.count - 1] = last ^ change
            guard let other = IPAddress(bytes: bytes), !isEdge(other, own.prefixLength) else { continue }
            return other
        }
        return nil
    }

    /// Whether an address is the first or the last one of its network.
    private static func isEdge(_ address: IPAddress, _ prefixLength: Int) -> Bool {
        let bits = address.bytes.flatMap { byte in (0..<8).map { bit in byte >> (7 - bit) & 1 } }
        let host = bits.dropFirst(prefixLength)
        return host.allSatisfy { $0 == 0 } || host.allSatisfy { $0 == 1 }
    }
}

/// What the kernel knows of other machines on its links (ARP and IPv6 neighbour discovery).
enum Neighbours {
    /// A machine on a link.
    struct Entry: Hashable {
        var interface: UInt32
        var address: IPAddress
        var state: WayFacts.Neighbour
        /// Whether the kernel is about to check whether the machine is still there.
        var isBeingChecked: Bool
    }

    // From linux/rtnetlink.h and linux/neighbour.h.
    private static let request: UInt16 = 30
    private static let destination: UInt16 = 1
    private static let headerLength = 12
    private static let absent: UInt16 = 0x01 | 0x20
    private static let present: UInt16 = 0x02 | 0x80
    private static let inDoubt: UInt16 = 0x08 | 0x10

    /// The machines that the kernel knows.
    static func read() -> [Entry] {
        Netlink.ask(request, [UInt8](repeating: 0, count: headerLength), isDump: true)?.compactMap { entry($0.body) }
            ?? []
    }

    /// Reads one machine.
    static func entry(_ body: [UInt8]) -> Entry? {
        // ndmsg: family, padding, number of the interface, state, flags, type.
        guard let interface = body.number(UInt32.self, at: 4), let state = body.number(UInt16.self, at: 8),
            body.count >= headerLength,
            let bytes = Netlink.attributes(in: body.dropFirst(headerLength))[destination],
            let address = IPAddress(bytes: bytes)
        else { return nil }
        let isPresent = state & present != 0
        return Entry(
            interface: interface,
            address: address,
            state: isPresent ? .present : state & absent != 0 ? .absent : .unknown,
            isBeingChecked: state & inDoubt != 0
        )
    }
}
