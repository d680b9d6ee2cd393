import NIOCore
import PeerCore

/// Which of the addresses that a peer names are dialed.
///
/// A peer must not make this machine connect to machines elsewhere, or ask name servers.
enum NearbyAddresses {
    /// Returns the addresses that can only be nearby: of private and link-local networks (RFC 1918, 3927, 4193, 4291), of
    /// documentation (RFC 5737), and the one from which the peer is connected.
    ///
    /// - Parameters:
    ///   - texts: What the peer names, as `HOST:PORT`.
    ///   - remote: The address of its connection, as `HOST:PORT`.
    /// - Returns: Those that are dialed, in order.
    static func among(_ texts: [String], remote: String) -> [String] {
        let connected = PeerAddress(parsing: remote)?.host
        return texts.compactMap { text in
            guard let address = PeerAddress(parsing: text) else { return nil }
            if address.host == connected { return text }
            // A zone has a meaning only on the machine that names it.
            let host = String(address.host.prefix { $0 != "%" })
            return isNearby(host) ? PeerAddress(host: host, port: address.port).text : nil
        }
    }

    private static func isNearby(_ host: String) -> Bool {
        guard let address = try? SocketAddress(ipAddress: host, port: 0), let text = address.ipAddress else {
            return false
        }
        if case .v6 = address {
            let start = text.prefix(3).lowercased()
            return ["fe8", "fe9", "fea", "feb"].contains(start) || start.hasPrefix("fc") || start.hasPrefix("fd")
        }
        let parts = text.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 4 else { return false }
        return switch (parts[0], parts[1]) {
        case (10, _), (192, 168), (169, 254), (172, 16...31): true
        case (192, 0): parts[2] == 2
        default: false
        }
    }
}
