import Glibc
import HostNetwork

/// Sockets of the exchange of views beside `MulticastSocket`: packets with the ports from which they come.
enum ViewSocket {
    /// A packet.
    struct Datagram {
        var source: IPAddress
        var port: UInt16
        var bytes: [UInt8]
    }

    private static let groupOfIPv4 = IPAddress("224.0.0.251")
    private static let groupOfIPv6 = IPAddress("ff02::fb")
    private static let hops: CInt = 255

    /// Opens a socket with a port of its own, from which questions are sent to the group.
    ///
    /// - Parameters:
    ///   - interface: The number of the interface.
    ///   - source: The address from which packets come; nil for the kernel's choice.
    ///   - isIPv6: Whether it is for IPv6 instead of IPv4.
    /// - Returns: The descriptor, which the caller closes; nil if the system does not permit it.
    static func open(on interface: UInt32, from source: IPAddress?, isIPv6: Bool) -> CInt? {
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        var outgoing = ip_mreqn()
        outgoing.imr_ifindex = CInt(clamping: interface)
        let isSet =
            isIPv6
            ? set(descriptor, CInt(IPPROTO_IPV6), IPV6_MULTICAST_IF, CInt(clamping: interface))
                && set(descriptor, CInt(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, hops)
            : set(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_IF, outgoing)
                && set(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_TTL, hops)
        let isBound = source?.withSocketAddress(port: 0, scope: interface) { bind(descriptor, $0, $1) == 0 } ?? true
        guard isSet, isBound else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Sends a packet to the group of multicast DNS.
    static func sendToGroup(_ bytes: [UInt8], through descriptor: CInt, on interface: UInt32, isIPv6: Bool) {
        guard let group = isIPv6 ? groupOfIPv6 : groupOfIPv4 else { return }
        send(bytes, through: descriptor, to: group, port: MulticastSocket.port, scope: interface)
    }

    /// Sends a packet; one that gets lost is made up for by the next question.
    static func send(
        _ bytes: [UInt8],
        through descriptor: CInt,
        to address: IPAddress,
        port: UInt16,
        scope: UInt32
    ) {
        _ = address.withSocketAddress(port: port, scope: address.isLinkLocal || !address.isOfOneMachine ? scope : 0) {
            sendto(descriptor, bytes, bytes.count, 0, $0, $1)
        }
    }

    /// Returns the next packet that has arrived; nil if there is none.
    ///
    /// A longer packet than the buffer is cut off.
    static func receive(from descriptor: CInt, into buffer: inout [UInt8]) -> Datagram? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let (count, source) = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let count = recvfrom(descriptor, &buffer, buffer.count, 0, address, &length)
                return (count, IPAddress(UnsafePointer(address)))
            }
        }
        guard count >= 0, let source else { return nil }
        // The port is behind the family in both kinds of addresses.
        let port = withUnsafeBytes(of: &storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
        return Datagram(source: source, port: port, bytes: Array(buffer.prefix(count)))
    }

    private static func set<Value>(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: Value) -> Bool {
        withUnsafeBytes(of: value) { setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) } == 0
    }
}
