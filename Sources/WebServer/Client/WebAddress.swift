internal import NIOCore

/// Where a web server of another machine listens.
package struct WebAddress: Hashable, Sendable {
    /// The address, IPv4 or IPv6, with the zone that a link-local address needs: `fe80::1%wlan0`.
    package let host: String
    package let port: Int
    /// Whether the server encrypts (HTTPS).
    package let isSecure: Bool

    /// Creates an address; nil if the host is no IP address, because names are not looked up.
    package init?(host: String, port: Int, isSecure: Bool) {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard (1...65_535).contains(port), let bare = parts.first, bare.utf8.count <= 45,
            let address = try? SocketAddress(ipAddress: String(bare), port: port)
        else { return nil }
        if parts.count > 1 {
            guard case .v6 = address, (1...15).contains(parts[1].utf8.count), !parts[1].utf8.contains(0) else {
                return nil
            }
        }
        (self.host, self.port, self.isSecure) = (host, port, isSecure)
    }

    /// The value of the field `Host`; a zone means nothing to the other machine (RFC 6874).
    var field: String {
        let bare = host.prefix { $0 != "%" }
        return bare.contains(":") ? "[\(bare)]:\(port)" : "\(bare):\(port)"
    }

    /// Returns the address for a connection; throws if the zone is no interface of this machine.
    func socketAddress() throws -> SocketAddress {
        // The host is an IP address, so nothing is looked up.
        try SocketAddress.makeAddressResolvingHost(host, port: port)
    }
}
