import CAvahi
import Glibc

/// The IP address at which a service was found.
public struct ServiceAddress: Hashable, Sendable {
    /// The IP version.
    public let version: IPVersion

    /// The 4 or 16 bytes of the address, in network order.
    public let bytes: [UInt8]

    /// The interface of a link-local IPv6 address; nil for any other address.
    ///
    /// A link-local address cannot be used without its interface, because several interfaces may have the same address.
    public let zone: NetworkInterface?

    /// Whether the address is valid in one network only (`169.254.…`, `fe80:…`).
    package var isLinkLocal: Bool { Self.isLinkLocal(bytes) }

    /// The address in the usual notation, without the zone.
    public var text: String {
        let family = version == .v4 ? AF_INET : AF_INET6
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress,
                let text = inet_ntop(family, bytes, start, socklen_t(INET6_ADDRSTRLEN))
            else { return "" }
            return String(cString: text)
        }
    }

    /// Creates an address from 4 or 16 bytes; nil for any other number.
    package init?(bytes: [UInt8], interface: NetworkInterface?) {
        switch bytes.count {
        case 4: self.version = .v4
        case 16: self.version = .v6
        default: return nil
        }
        self.bytes = bytes
        self.zone = version == .v6 && Self.isLinkLocal(bytes) ? interface : nil
    }

    init?(_ address: AvahiAddress, interface: NetworkInterface?) {
        switch IPVersion(address.proto) {
        case .v4: self.init(bytes: withUnsafeBytes(of: address.data.ipv4.address) { Array($0) }, interface: interface)
        case .v6: self.init(bytes: withUnsafeBytes(of: address.data.ipv6.address) { Array($0) }, interface: interface)
        case nil: return nil
        }
    }

    private static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }
}

extension ServiceAddress: CustomStringConvertible {
    /// The address in the usual notation, with the zone if it needs one, such as `fe80::1%wlan0`.
    public var description: String { zone.map { "\(text)%\($0.name ?? String($0.index))" } ?? text }
}
