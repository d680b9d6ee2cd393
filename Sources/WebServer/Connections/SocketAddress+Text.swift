import HostNetwork
import NIOCore

extension SocketAddress {
    /// The address without port and zone; an IPv4 address that came by a socket for both IP versions is one of IPv4.
    var plainAddress: String? {
        guard let ipAddress, case .v6 = self, ipAddress.hasPrefix("::ffff:"), ipAddress.contains(".") else {
            return ipAddress
        }
        return String(ipAddress.dropFirst("::ffff:".count))
    }

    /// The address without port, with the zone that it needs to be reached: `fe80::1%wlan0`.
    var zonedAddress: String? {
        guard case .v6 = self else { return plainAddress }
        // sockaddr_in6 (RFC 3493, section 3.3) ends in sin6_scope_id.
        let scope = withSockAddr { address, length in
            length >= 28 ? UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 24, as: UInt32.self) : 0
        }
        let zone = HostInterface.name(of: scope).map { "%\($0)" } ?? ""
        return plainAddress.map { $0 + zone }
    }
}
