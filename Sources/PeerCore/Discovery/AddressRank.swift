import NIOCore

/// How promising an address is.
///
/// Lower is tried first.
struct AddressRank: Comparable {
    private let level: Int
    private let isIPv6: Bool
    private let text: String

    /// How the names of interfaces begin that lead through a tunnel.
    private static let tunnels = ["tun", "tap", "wg", "ppp", "ipsec", "utun", "tailscale", "zt", "nordlynx", "proton"]

    /// Ranks an address.
    ///
    /// Addresses of the local network come first, then those of a single link (which need no router and no DHCP), and
    /// last those that lead through a tunnel. IPv4 goes before IPv6 of the same rank.
    init(_ address: SocketAddress, interfaceName: String?) {
        let throughTunnel = interfaceName.map { name in Self.tunnels.contains { name.hasPrefix($0) } } ?? false
        let isLinkLocal = Self.isLinkLocal(address)
        self.level = throughTunnel ? 2 : isLinkLocal ? 1 : 0
        if case .v6 = address { self.isIPv6 = true } else { self.isIPv6 = false }
        self.text = address.displayText
    }

    static func < (left: AddressRank, right: AddressRank) -> Bool {
        (left.level, left.isIPv6 ? 1 : 0, left.text) < (right.level, right.isIPv6 ? 1 : 0, right.text)
    }

    private static func isLinkLocal(_ address: SocketAddress) -> Bool {
        guard let text = address.ipAddress else { return false }
        // fe80::/10; a shorter first group is of another network.
        let group = text.prefix { $0 != ":" }.lowercased()
        return text.hasPrefix("169.254.")
            || group.count == 4 && ["fe8", "fe9", "fea", "feb"].contains { group.hasPrefix($0) }
    }
}
