import NIOCore

/// What counts as one machine when connections are counted by address.
///
/// Its whole address: the machines of a link share an IPv6 network, so that counting by network would let one neighbour
/// stand for all. That one machine may have many addresses is what the bounds over all of them are for. Ports and zones do
/// not count; an IPv4 address in an IPv6 one is the IPv4 address.
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
            bytes = all.starts(with: Self.mappedPrefix) ? Array(all.dropFirst(Self.mappedPrefix.count)) : all
        case .unixDomainSocket, nil:
            bytes = []
        }
    }

    /// The key of what has no address.
    static let unknown = AddressKey(nil)

    /// IPv4 in IPv6 (RFC 4291, section 2.5.5.2).
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
