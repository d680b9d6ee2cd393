package import HostNetwork
package import NIOCore

extension SocketAddress {
    /// The address and the port as text: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    package var displayText: String {
        guard let ipAddress, let port else { return "\(self)" }
        switch self {
        case .v6 where ipAddress.hasPrefix("::ffff:") && ipAddress.contains("."):
            // An IPv4 peer of a socket for both IP versions (RFC 4291, section 2.5.5.2).
            return "\(ipAddress.dropFirst(7)):\(port)"
        case .v6:
            let zone = HostInterface.name(of: scopeIndex).map { "%\($0)" } ?? ""
            return "[\(ipAddress)\(zone)]:\(port)"
        case .v4, .unixDomainSocket: return "\(ipAddress):\(port)"
        }
    }

    /// The interface that an IPv6 link-local address belongs to; 0 for any other address.
    package var scopeIndex: UInt32 {
        guard case .v6 = self else { return 0 }
        // sockaddr_in6 (RFC 3493, section 3.3) ends in sin6_scope_id.
        return withSockAddr { address, length in
            guard length >= 28 else { return 0 }
            return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 24, as: UInt32.self)
        }
    }

    /// Whether the address is an IPv6 link-local address, which needs a zone.
    var isLinkLocal: Bool { host?.needsZone ?? false }

    /// The address without port and zone; nil if it is no IP address.
    package var host: IPAddress? { withSockAddr { address, _ in IPAddress(address) } }

    /// The name of the interface of this machine that has the address; the address itself if none has it.
    var interfaceName: String {
        guard let host else { return "" }
        // Link-local addresses of several interfaces may be alike.
        if host.needsZone, let name = HostInterface.name(of: scopeIndex) { return name }
        return HostInterface.all().first { $0.addresses.contains { $0.address == host } }?.name ?? "\(host)"
    }
}
