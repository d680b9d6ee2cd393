package import Glibc

/// An IPv4 or IPv6 address, without a zone.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 4 or 16 bytes, in network order.
    package let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes; nil for any other number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        // An IPv4 address in an IPv6 address (RFC 4291, section 2.5.5.2) is the IPv4 address.
        let isMapped = bytes.count == 16 && bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Reads an address in the usual notation, with or without a zone, which is ignored; nil for any other text.
    package init?(_ text: String) {
        let bare = String(text.prefix { $0 != "%" })
        guard bare.utf8.count < 64 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, bare, &bytes) == 1 {
            self.init(bytes: Array(bytes.prefix(4)))
        } else if inet_pton(AF_INET6, bare, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// Reads the address of a socket; nil if it is none of IPv4 and IPv6.
    package init?(_ socketAddress: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(socketAddress)
        switch CInt(socketAddress.pointee.sa_family) {
        case AF_INET:
            // sockaddr_in: the address is behind the family and the port.
            self.init(bytes: (4..<8).map { raw.load(fromByteOffset: $0, as: UInt8.self) })
        case AF_INET6:
            // sockaddr_in6: the address is behind the family, the port and the flow.
            self.init(bytes: (8..<24).map { raw.load(fromByteOffset: $0, as: UInt8.self) })
        default:
            return nil
        }
    }

    /// Whether it is an IPv6 address.
    package var isIPv6: Bool { bytes.count == 16 }

    /// Whether it is valid on one link only (`169.254.…`, `fe80:…`).
    package var isLinkLocal: Bool {
        isIPv6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
    }

    /// Whether it leads back to this machine.
    package var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// The address in the usual notation.
    package var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress,
                let text = inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, start, socklen_t(INET6_ADDRSTRLEN))
            else { return "" }
            return String(cString: text)
        }
    }

    /// Whether two addresses have the same first bits; false for addresses of different versions.
    package func isInNetwork(of other: IPAddress, prefixLength: Int) -> Bool {
        guard bytes.count == other.bytes.count, (0...bytes.count * 8).contains(prefixLength) else { return false }
        let whole = prefixLength / 8
        guard bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        let rest = prefixLength % 8
        guard rest > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
        return bytes[whole] & mask == other.bytes[whole] & mask
    }

    /// Calls `body` with the address as the system's functions take it.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - scope: The number of the interface, for an IPv6 link-local address.
    ///   - body: Uses the address.
    /// - Returns: The result of `body`.
    package func withSocketAddress<Result>(
        port: UInt16,
        scope: UInt32 = 0,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        // sockaddr_in and sockaddr_in6 begin with the family, in the order of the machine, and the port.
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { raw in
            raw.storeBytes(of: sa_family_t(isIPv6 ? AF_INET6 : AF_INET), as: sa_family_t.self)
            raw.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            if isIPv6 {
                for (offset, byte) in bytes.enumerated() { raw[8 + offset] = byte }
                raw.storeBytes(of: scope, toByteOffset: 24, as: UInt32.self)
            } else {
                for (offset, byte) in bytes.enumerated() { raw[4 + offset] = byte }
            }
        }
        let length = socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
