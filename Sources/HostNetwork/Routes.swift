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

/// The interfaces of the kernel's default routes, in the kernel's order.
///
/// NetworkManager does not know those of ifupdown or systemd-networkd.
package enum DefaultRoutes {
    /// The maximum length of a list of the kernel, in bytes.
    private static let maximumLength = 4 << 20
    // From linux/route.h.
    private static let isUp: UInt32 = 0x1
    private static let isRejecting: UInt32 = 0x200

    /// Reads the names of the interfaces with a default route of IPv4.
    package static func ofIPv4() -> [String] { ipv4(in: text("/proc/net/route")) }

    /// Reads the names of the interfaces with a default route of IPv6.
    package static func ofIPv6() -> [String] { ipv6(in: text("/proc/net/ipv6_route")) }

    /// Reads `/proc/net/route`: the interface, the destination, the gateway, flags, three numbers, and the mask.
    static func ipv4(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, isZero(fields[1]), isZero(fields[7]) else { return nil }
            return leadsSomewhere(fields[3]) ? String(fields[0]) : nil
        }
    }

    /// Reads `/proc/net/ipv6_route`: the destination and its length, the source and its length, the next router, three numbers,
    /// flags, and the interface.
    static func ipv6(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, isZero(fields[0]), isZero(fields[1]), isZero(fields[3]) else { return nil }
            return leadsSomewhere(fields[8]) ? String(fields[9]) : nil
        }
    }

    private static func isZero(_ number: Substring) -> Bool { number.allSatisfy { $0 == "0" } }

    private static func leadsSomewhere(_ flags: Substring) -> Bool {
        UInt32(flags, radix: 16).map { $0 & isUp != 0 && $0 & isRejecting == 0 } ?? false
    }

    private static func text(_ path: String) -> String { SystemFile.text(path, upTo: maximumLength) ?? "" }
}
