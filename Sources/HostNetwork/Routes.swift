import Glibc

/// The ways of packets, as the kernel decides them, with all its tables and rules.
package enum Routes {
    /// A decision of the kernel.
    package struct Way: Hashable {
        /// The number of the interface.
        package var interface: UInt32
        /// The address of this machine that a connection gets.
        package var source: IPAddress?
    }

    // From linux/rtnetlink.h: the request, its attributes, and the type of a route to another machine.
    private static let request: UInt16 = 26
    private static let destination: UInt16 = 1
    private static let outgoing: UInt16 = 4
    private static let preferredSource: UInt16 = 7
    private static let headerLength = 12
    private static let unicast: UInt8 = 1

    /// Returns the way to an address; nil if there is none, or if the address is this machine's.
    ///
    /// An IPv6 link-local address needs its interface.
    package static func way(to address: IPAddress, over interface: UInt32 = 0) -> Way? {
        var header = [UInt8](repeating: 0, count: headerLength)
        header[0] = UInt8(address.isIPv6 ? AF_INET6 : AF_INET)
        header[1] = UInt8(address.bitCount)
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
}
