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
