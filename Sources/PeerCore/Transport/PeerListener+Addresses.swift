import NIOCore

extension PeerListener {
    /// Where peers can reach this listener, as people write it: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    ///
    /// The addresses of hardware come first, then those of bridges and other virtual interfaces, then those of tunnels, and
    /// last those of this machine alone. On the same kind of interface, the addresses of networks come before those that
    /// need a zone. Interfaces that are down are left out. What stands here is right now; a network may come or go any
    /// time.
    public var reachableAddresses: [String] {
        let routes = DefaultRoute.interfaceNames()
        var own: [OwnAddress] = []
        for device in (try? System.enumerateDevices()) ?? [] {
            guard var address = device.address, address.ipAddress != nil else { continue }
            address.port = port
            own.append(
                OwnAddress(
                    address: address,
                    interfaceName: device.name,
                    interface: InterfaceRank(of: device.name),
                    hasDefaultRoute: routes.contains(device.name)
                )
            )
        }
        return OwnAddress.ranked(own)
    }
}

/// An address of this machine.
struct OwnAddress: Sendable {
    /// How useful an address is on its interface, the most useful first.
    private enum Scope: Int {
        case network, networkOfIPv6, link, furtherOfIPv6, machine
    }

    var address: SocketAddress
    var interfaceName: String
    var interface: InterfaceRank
    var hasDefaultRoute: Bool

    /// Returns the texts of addresses, the most useful first.
    static func ranked(_ own: [OwnAddress]) -> [String] {
        var ranks: [(rank: [Int], text: String)] = []
        var seen: Set<String> = []
        for (position, one) in own.enumerated() where one.interface != .down {
            var scope = one.scope
            // Temporary addresses (RFC 8981) say nothing new; there may be many.
            if scope == .networkOfIPv6, !seen.insert(one.interfaceName).inserted { scope = .furtherOfIPv6 }
            let interface = scope == .machine ? InterfaceRank.down : one.interface
            let isFurther = scope == .furtherOfIPv6
            let rank = [interface.rawValue, isFurther ? 1 : 0, one.hasDefaultRoute ? 0 : 1, scope.rawValue, position]
            ranks.append((rank, one.address.displayText(zone: one.interfaceName)))
        }
        var texts: [String] = []
        for (_, text) in ranks.sorted(by: { $0.rank.lexicographicallyPrecedes($1.rank) }) where !texts.contains(text) {
            texts.append(text)
        }
        return texts
    }

    private var scope: Scope {
        guard let ipAddress = address.ipAddress else { return .machine }
        switch address {
        case .v4: return ipAddress.hasPrefix("127.") ? .machine : .network
        case .v6 where ipAddress == "::1": return .machine
        case .v6: return address.isLinkLocal ? .link : .networkOfIPv6
        case .unixDomainSocket: return .machine
        }
    }
}

extension SocketAddress {
    /// Whether the address is only good together with a zone.
    var isLinkLocal: Bool {
        guard case .v6 = self else { return false }
        // fe80::/10 (RFC 4291, section 2.4).
        guard let first = ipAddress?.lowercased().split(separator: ":", omittingEmptySubsequences: false).first,
            let bits = UInt16(first, radix: 16)
        else { return false }
        return bits & 0xFFC0 == 0xFE80
    }

    /// The text form, with a zone if the address needs one and does not have it.
    fileprivate func displayText(zone: String) -> String {
        guard case .v6 = self, isLinkLocal, scopeIndex == 0, let ipAddress, let port else { return displayText }
        return "[\(ipAddress)%\(zone)]:\(port)"
    }
}
