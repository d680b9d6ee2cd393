import NIOCore

/// What counts as one machine when connections are counted by address.
///
/// An IPv4 address; of an IPv6 address the network (64 bits), as one machine has any number of addresses in it, but of a
/// link-local address the whole, as all machines of a link share that network. Ports and zones do not count.
struct AddressKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates the key of an address; all addresses that are neither IPv4 nor IPv6 have the same.
    init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            // sockaddr_in (POSIX, netinet/in.h) holds family, port and address; sockaddr_in6 a flow label before it.
            bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
            if all.starts(with: Self.mappedPrefix) {
                bytes = Array(all.dropFirst(Self.mappedPrefix.count))
            } else if all[0] == 0xFE, all[1] & 0xC0 == 0x80 {
                bytes = all
            } else {
                bytes = Array(all.prefix(8))
            }
        case .unixDomainSocket, nil:
            bytes = []
        }
    }

    /// IPv4 in IPv6 (RFC 4291, section 2.5.5.2).
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
