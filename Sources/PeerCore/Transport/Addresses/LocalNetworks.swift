package import NIOCore
import NIOPosix

/// The networks that this machine is on, and which addresses there may belong to another machine.
///
/// Announcements, links and members of groups name addresses. A peer must not make this machine connect to machines elsewhere,
/// to itself, or ask name servers: every address that a peer names passes this filter before it is dialed.
package struct LocalNetworks: Sendable {
    /// An address of this machine, and how much of it the machines of its network have in common.
    package struct Interface: Sendable {
        var bytes: [UInt8]
        var prefixLength: Int
        var scope: UInt32

        /// Creates an interface; nil if the address is no IP address.
        package init?(_ address: SocketAddress, prefixLength: Int) {
            guard let bytes = address.ipBytes else { return nil }
            self.bytes = bytes
            self.prefixLength = prefixLength
            self.scope = address.scopeIndex
        }
    }

    /// How many ports of one host are dialed: one, and one that the peer had before it was started again.
    private static let maximumPortCount = 2

    private let interfaces: [Interface]
    private let own: Set<[UInt8]>
    private let isOnLoopback: Bool

    /// Creates the networks of a machine.
    ///
    /// - Parameters:
    ///   - interfaces: The addresses of the machine, with the lengths of the prefixes of their networks.
    ///   - reachesItself: Whether its own addresses count as those of peers.
    ///   - isOnLoopback: Whether the program listens on loopback, so that its peers are there.
    package init(_ interfaces: [Interface], reachesItself: Bool = false, isOnLoopback: Bool = false) {
        self.interfaces = interfaces
        self.own = reachesItself ? [] : Set(interfaces.map(\.bytes))
        self.isOnLoopback = isOnLoopback
    }

    /// Reads the networks of this machine.
    ///
    /// - Parameter host: The only address on which the program listens; nil for all.
    /// - Returns: The networks.
    static func ofThisMachine(listeningOn host: String?) -> LocalNetworks {
        var interfaces: [Interface] = []
        for device in (try? System.enumerateDevices()) ?? [] {
            guard let address = device.address else { continue }
            let prefix = device.netmask?.ipBytes?.reduce(0) { $0 + $1.nonzeroBitCount }
            if let one = Interface(address, prefixLength: prefix ?? address.bitCount) { interfaces.append(one) }
            // The other end of a tunnel.
            guard let other = device.pointToPointDestinationAddress, other != address,
                let far = Interface(other, prefixLength: other.bitCount)
            else { continue }
            interfaces.append(far)
        }
        let listening = host.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }?.ipBytes
        return LocalNetworks(interfaces, isOnLoopback: listening.map(isLoopback) ?? false)
    }

    /// Returns whether an address may be that of a peer nearby.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - isLocal: Whether a program on this machine has announced it, as the system says.
    /// - Returns: Whether it is dialed.
    package func contains(_ address: SocketAddress, isLocal: Bool = false) -> Bool {
        guard let bytes = address.ipBytes, let port = address.port, port > 0, !Self.isSpecial(bytes) else {
            return false
        }
        if Self.isLoopback(bytes) { return isLocal || isOnLoopback }
        if own.contains(bytes) { return isLocal || isOnLoopback }
        return interfaces.contains { $0.reaches(bytes, scope: address.scopeIndex) }
    }

    /// Picks the addresses that are dialed of those that a peer names; of each host, two ports at most.
    ///
    /// - Parameters:
    ///   - texts: What the peer names, as `HOST:PORT`.
    ///   - remote: The address from which the peer that names them is connected, as `HOST:PORT`. It is not left out.
    /// - Returns: The addresses, in order.
    package func nearby(_ texts: [String], remote: String) -> [String] {
        let connected = PeerAddress(parsing: remote)?.host
        var counts: [String: Int] = [:]
        return texts.compactMap { text -> String? in
            guard var address = PeerAddress(parsing: text) else { return nil }
            if address.host != connected {
                // A zone has a meaning only on the machine that names it.
                address.host = String(address.host.prefix { $0 != "%" })
                guard let socket = try? SocketAddress(ipAddress: address.host, port: address.port), contains(socket)
                else {
                    return nil
                }
            }
            counts[address.host, default: 0] += 1
            return counts[address.host, default: 0] <= Self.maximumPortCount ? address.text : nil
        }
    }

    /// Picks the addresses that are dialed of those that an announcement names; of each host, two ports at most.
    ///
    /// - Parameters:
    ///   - addresses: What the announcement names.
    ///   - local: Those that a program on this machine has announced, as the system says.
    /// - Returns: The addresses, in order.
    package func nearby(_ addresses: [SocketAddress], local: [SocketAddress]) -> [SocketAddress] {
        var counts: [[UInt8]: Int] = [:]
        return addresses.filter { address in
            guard contains(address, isLocal: local.contains(address)), let bytes = address.ipBytes else { return false }
            counts[bytes, default: 0] += 1
            return counts[bytes, default: 0] <= Self.maximumPortCount
        }
    }

    private static func isLoopback(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether the address is that of no single machine: all zero, multicast, broadcast.
    private static func isSpecial(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(where: { $0 != 0 }) else { return true }
        return bytes.count == 4 ? bytes[0] == 0 || bytes[0] >= 224 : bytes[0] == 0xFF
    }
}

extension LocalNetworks.Interface {
    /// The shortest prefix of a network; a shorter one is a mistake in the settings of the machine.
    private static let minimumPrefixLength = 8

    fileprivate func reaches(_ other: [UInt8], scope otherScope: UInt32) -> Bool {
        guard other.count == bytes.count, prefixLength >= Self.minimumPrefixLength else { return false }
        if scope != 0, otherScope != 0, scope != otherScope { return false }
        let whole = min(prefixLength / 8, bytes.count)
        guard bytes.prefix(whole) == other.prefix(whole) else { return false }
        guard whole < bytes.count else { return true }
        let rest = UInt8(truncatingIfNeeded: 0xFF00 >> (prefixLength % 8))
        guard bytes[whole] & rest == other[whole] & rest else { return false }
        guard bytes.count == 4, prefixLength < 31 else { return true }
        // The last address of a network of IPv4 is its broadcast.
        return !zip(bytes, other).enumerated().allSatisfy { position, pair in
            let taken = min(8, max(0, prefixLength - 8 * position))
            let host = taken == 8 ? 0 : UInt8(0xFF) >> UInt8(taken)
            return pair.1 & host == host
        }
    }
}

extension SocketAddress {
    /// The bytes of an IP address, 4 or 16; an IPv4 address that is written as one of IPv6 has 4.
    fileprivate var ipBytes: [UInt8]? {
        let (offset, count): (Int, Int)
        switch self {
        case .v4: (offset, count) = (4, 4)
        case .v6: (offset, count) = (8, 16)
        case .unixDomainSocket: return nil
        }
        // sockaddr_in (ip(7)) and sockaddr_in6 (ipv6(7)).
        let bytes = withSockAddr { pointer, length -> [UInt8] in
            guard length >= offset + count else { return [] }
            return Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(pointer) + offset, count: count))
        }
        guard bytes.count == count else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return bytes.starts(with: mapped) ? Array(bytes.dropFirst(mapped.count)) : bytes
    }

    fileprivate var bitCount: Int { (ipBytes?.count ?? 0) * 8 }
}
