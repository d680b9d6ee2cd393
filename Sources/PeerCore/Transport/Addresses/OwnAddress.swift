import HostNetwork
import NIOCore

/// An address of this machine.
struct OwnAddress: Sendable {
    /// The scopes of addresses, the most useful first.
    private enum Scope: Int {
        case network, networkOfIPv6, link, furtherOfIPv6, machine
    }

    var address: SocketAddress
    var interfaceName: String
    var interface: InterfaceRank
    var hasDefaultRoute: Bool

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
