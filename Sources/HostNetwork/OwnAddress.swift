/// An address of this machine, as other machines may use it.
package struct OwnAddress: Sendable {
    /// The scopes of addresses, the most useful first.
    private enum Scope: Int {
        case network, networkOfIPv6, link, furtherOfIPv6, machine
    }

    var address: IPAddress
    var interfaceName: String
    var interface: InterfaceRank
    var hasDefaultRoute: Bool

    /// Reads the addresses of this machine as text, the most useful first, such as `192.168.1.7` and `fe80::1%wlan0`.
    package static func ranked(includingLoopback includesLoopback: Bool) -> [String] {
        let routes = Set(DefaultRoutes.ofIPv4())
        let own = HostInterface.all().flatMap { interface in
            let rank = InterfaceRank(of: interface.name)
            let hasDefaultRoute = routes.contains(interface.name)
            return interface.addresses.map { own in
                OwnAddress(
                    address: own.address,
                    interfaceName: interface.name,
                    interface: rank,
                    hasDefaultRoute: hasDefaultRoute
                )
            }
        }
        return ranked(own, includingLoopback: includesLoopback)
    }

    /// Returns the texts of addresses, the most useful first.
    ///
    /// Interfaces to containers and virtual machines on this machine are left out if there are no others, because no other
    /// machine is there.
    static func ranked(_ own: [OwnAddress], includingLoopback includesLoopback: Bool = false) -> [String] {
        var ranks: [(rank: [Int], text: String)] = []
        var seen: Set<String> = []
        let isOnNetwork = own.contains { $0.scope != .machine && ![.down, .virtual].contains($0.interface) }
        for (position, one) in own.enumerated() where one.interface != .down {
            var scope = one.scope
            guard scope == .machine ? includesLoopback : isOnNetwork else { continue }
            // Temporary addresses (RFC 8981) are redundant, and there may be many.
            if scope == .networkOfIPv6, !seen.insert(one.interfaceName).inserted { scope = .furtherOfIPv6 }
            let interface = scope == .machine ? InterfaceRank.down : one.interface
            let isFurther = scope == .furtherOfIPv6
            let rank = [interface.rawValue, isFurther ? 1 : 0, one.hasDefaultRoute ? 0 : 1, scope.rawValue, position]
            ranks.append((rank, one.text))
        }
        var texts: [String] = []
        for (_, text) in ranks.sorted(by: { $0.rank.lexicographicallyPrecedes($1.rank) }) where !texts.contains(text) {
            texts.append(text)
        }
        return texts
    }

    private var text: String { address.needsZone ? "\(address)%\(interfaceName)" : "\(address)" }

    private var scope: Scope {
        if address.isLoopback { return .machine }
        guard address.isIPv6 else { return .network }
        return address.isLinkLocal ? .link : .networkOfIPv6
    }
}
