import Glibc

/// A network interface of this machine, with its addresses.
package struct HostInterface: Hashable, Sendable {
    /// An address with the length of its network's prefix.
    package struct Address: Hashable, Sendable {
        /// Whether the kernel lets connections use an address (RFC 4862, section 5.4).
        package enum State: Hashable, Sendable {
            case ready
            /// The kernel still tests whether another machine has the address; an IPv6 address takes about a second.
            case tentative
            /// Another machine has the same IPv6 address, so the kernel does not use it.
            case duplicate
        }

        package var address: IPAddress
        package var prefixLength: Int
        /// The other end, if the interface leads to one machine only, as a tunnel does.
        package var destination: IPAddress?
        /// Whether it can be used.
        package var state: State

        package init(_ address: IPAddress, prefixLength: Int, destination: IPAddress? = nil, state: State = .ready) {
            self.address = address
            self.prefixLength = prefixLength
            self.destination = destination
            self.state = state
        }
    }

    /// The name, such as `wlan0`.
    package let name: String
    /// The kernel's number.
    package let index: UInt32
    private let flags: UInt32
    /// The addresses, those of IPv4 first.
    package private(set) var addresses: [Address] = []

    private init(_ name: String, flags: UInt32) {
        self.name = name
        self.index = if_nametoindex(name)
        self.flags = flags
    }

    /// Returns whether the interface has a flag, such as `IFF_UP` (netdevice(7)).
    package func has(_ flag: some BinaryInteger) -> Bool { flags & UInt32(truncatingIfNeeded: flag) != 0 }

    /// Reads the interfaces of this machine in the kernel's order, also those without an address.
    package static func all() -> [HostInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var interfaces: [HostInterface] = []
        var positions: [String: Int] = [:]
        let states = AddressStates.read()
        var next = first
        // One entry for each interface, and one for each of its addresses.
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let rawName = entry.ifa_name else { continue }
            let name = String(cString: rawName)
            let position = positions[name] ?? interfaces.count
            if position == interfaces.count {
                positions[name] = position
                interfaces.append(HostInterface(name, flags: entry.ifa_flags))
            }
            guard let address = ipAddress(entry.ifa_addr) else { continue }
            let mask = ipAddress(entry.ifa_netmask)
            // Without this flag, the field is the broadcast address.
            let isPointToPoint = entry.ifa_flags & UInt32(IFF_POINTOPOINT) != 0
            let key = AddressStates.Key(interface: interfaces[position].index, address: address)
            interfaces[position].addresses.append(
                Address(
                    address,
                    prefixLength: mask?.leadingOnes ?? address.bitCount,
                    destination: isPointToPoint ? ipAddress(entry.ifa_ifu.ifu_dstaddr) : nil,
                    state: states[key] ?? .ready
                )
            )
        }
        return interfaces
    }

    /// Returns the name of the interface with a number; nil if there is none.
    package static func name(of index: UInt32) -> String? {
        guard index != 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let base = buffer.baseAddress, if_indextoname(index, base) != nil else { return nil }
            return String(cString: base)
        }
    }

    private static func ipAddress(_ address: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        address.flatMap { IPAddress(UnsafePointer($0)) }
    }
}
