package import NIOCore

/// The identity of a machine when connections are counted by address.
///
/// It is the whole address: all machines of a network share one IPv6 prefix, so counting by prefix would count neighbours
/// together. A machine with many addresses is limited by the bounds over all addresses. Ports and zones do not count. An
/// IPv4 address mapped into IPv6 is the IPv4 address.
package struct AddressKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates the key of an address; all addresses that are neither IPv4 nor IPv6 have the same.
    package init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            // sockaddr_in (POSIX, netinet/in.h) holds family, port and address; sockaddr_in6 a flow label before it.
            bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
            bytes = all.starts(with: Self.mappedPrefix) ? Array(all.dropFirst(Self.mappedPrefix.count)) : all
        case .unixDomainSocket, nil: bytes = []
        }
    }

    /// The key of a connection without an address.
    static let unknown = AddressKey(nil)

    /// IPv4 in IPv6 (RFC 4291, section 2.5.5.2).
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
