import Glibc

/// A socket for packets to a multicast group, usually that of multicast DNS (RFC 6762), on one interface with one IP version.
///
/// It does not disturb another program that listens on the same port: each socket gets a copy of a packet to a group.
package struct MulticastSocket: Sendable {
    /// What a socket hears.
    package enum Role: Sendable {
        /// Packets to the group on the interface, those of this machine too.
        case listener
        /// Answers to this socket alone, which come by unicast (one-shot questions, RFC 6762, sections 5.1 and 6.7).
        ///
        /// This machine does not hear its questions.
        case asker
    }

    /// A packet that has arrived.
    package struct Packet {
        /// The address of the machine that has sent it.
        package var source: IPAddress
        /// The port that it was sent from.
        package var port: UInt16
        /// What it says.
        package var bytes: [UInt8]

        package init(source: IPAddress, port: UInt16, bytes: [UInt8]) {
            (self.source, self.port, self.bytes) = (source, port, bytes)
        }
    }

    /// The outcome of an attempt to send.
    package enum Sending {
        /// The packet has left the program.
        case sent
        /// The system does not permit it, as a firewall of this machine.
        case forbidden
        /// It could not be sent for another reason.
        case failed
    }

    /// The port of multicast DNS (RFC 6762, section 3).
    package static let port: UInt16 = 5353

    /// From linux/in.h and linux/in6.h: switches off packets to groups that other sockets have joined.
    private static let allGroupsOfIPv4: CInt = 49
    private static let allGroupsOfIPv6: CInt = 29

    /// The descriptor; the owner closes it.
    package let descriptor: CInt
    private let group: IPAddress
    private let port: UInt16
    private let hops: CInt
    private let interface: UInt32

    /// Opens a socket; nil if the system does not permit it, or the group has no address of the IP version.
    ///
    /// - Parameter source: The IPv4 address of this machine from which it sends; nil for the usual one.
    package init?(
        _ role: Role,
        on interface: UInt32,
        isIPv6: Bool,
        in wished: MulticastGroup = .dns,
        from source: IPAddress? = nil
    ) {
        guard let group = isIPv6 ? wished.ofIPv6 : wished.ofIPv4 else { return nil }
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        (self.group, self.port, self.hops) = (group, wished.port, CInt(wished.hops))
        self.interface = interface
        let loops: CInt = role == .listener ? 1 : 0
        let canSend = isIPv6 ? sendOverIPv6(loops) : sendOverIPv4(loops, source)
        guard canSend, role == .asker || (isIPv6 ? joinIPv6() : joinIPv4()) else {
            close()
            return nil
        }
    }

    private func sendOverIPv4(_ loops: CInt, _ source: IPAddress?) -> Bool {
        var outgoing = ip_mreqn()
        if let source, !source.isIPv6 {
            withUnsafeMutableBytes(of: &outgoing.imr_address) { $0.copyBytes(from: source.bytes) }
        }
        outgoing.imr_ifindex = CInt(clamping: interface)
        let level = CInt(IPPROTO_IP)
        return set(level, IP_MULTICAST_TTL, hops) && set(level, IP_MULTICAST_LOOP, loops)
            && set(level, IP_MULTICAST_IF, &outgoing)
    }

    private func sendOverIPv6(_ loops: CInt) -> Bool {
        let level = CInt(IPPROTO_IPV6)
        return set(level, IPV6_V6ONLY, CInt(1)) && set(level, IPV6_MULTICAST_HOPS, hops)
            && set(level, IPV6_MULTICAST_LOOP, loops) && set(level, IPV6_MULTICAST_IF, CInt(clamping: interface))
    }

    private func joinIPv4() -> Bool {
        var membership = ip_mreqn()
        membership.imr_ifindex = CInt(clamping: interface)
        withUnsafeMutableBytes(of: &membership.imr_multiaddr) { $0.copyBytes(from: group.bytes) }
        return bindToGroup() && set(CInt(IPPROTO_IP), Self.allGroupsOfIPv4, CInt(0))
            && set(CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, &membership)
    }

    private func joinIPv6() -> Bool {
        var membership = ipv6_mreq()
        membership.ipv6mr_interface = interface
        withUnsafeMutableBytes(of: &membership.ipv6mr_multiaddr) { $0.copyBytes(from: group.bytes) }
        let level = CInt(IPPROTO_IPV6)
        return bindToGroup() && set(level, IPV6_JOIN_GROUP, &membership)
            && setIfKnown(level, Self.allGroupsOfIPv6, CInt(0))
    }

    /// Sends a packet to the group.
    package func send(_ bytes: [UInt8]) -> Sending {
        let (count, error) = group.withSocketAddress(port: port, scope: interface) { address, length in
            let count = sendto(descriptor, bytes, bytes.count, 0, address, length)
            return (count, errno)
        }
        if count == bytes.count { return .sent }
        return count < 0 && (error == EPERM || error == EACCES) ? .forbidden : .failed
    }

    /// Returns the next packet that has arrived, cut to the length of the buffer; nil if there is none.
    package func receive(into buffer: inout [UInt8]) -> Packet? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let (count, source) = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let count = recvfrom(descriptor, &buffer, buffer.count, 0, address, &length)
                return (count, IPAddress(UnsafePointer(address)))
            }
        }
        guard count > 0, let source else { return nil }
        // sockaddr_in and sockaddr_in6 have the port behind the family.
        let port = withUnsafeBytes(of: storage) { $0.load(fromByteOffset: 2, as: UInt16.self) }
        return Packet(source: source, port: UInt16(bigEndian: port), bytes: Array(buffer[..<count]))
    }

    /// Closes the socket.
    package func close() { _ = Glibc.close(descriptor) }

    private func bindToGroup() -> Bool {
        set(SOL_SOCKET, SO_REUSEADDR, CInt(1))
            && group.withSocketAddress(port: port, scope: interface) { bind(descriptor, $0, $1) } == 0
    }

    private func set<Value>(_ level: CInt, _ option: CInt, _ value: inout Value) -> Bool {
        withUnsafeBytes(of: &value) { setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) } == 0
    }

    private func set(_ level: CInt, _ option: CInt, _ value: CInt) -> Bool {
        var value = value
        return set(level, option, &value)
    }

    /// Sets an option; a kernel that does not know the option is no error.
    private func setIfKnown(_ level: CInt, _ option: CInt, _ value: CInt) -> Bool {
        set(level, option, value) || errno == ENOPROTOOPT
    }
}
